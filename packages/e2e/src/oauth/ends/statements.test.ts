import assert from 'node:assert/strict';
import { clientSessions, query } from '@gatehouse/db';
import { during, eventually } from '@gatehouse/runtime/testing';
import { SessionStatus, type AppEndReason } from '@gatehouse/schema';
import { createVerifier, type Verifier } from 'gatehouse-verify';
import { endOwnSession } from '../../../../../services/portal/src/account/session/session.ts';
import { forgetAgents } from '../../../../../services/core/src/oauth/agents/find-agent.ts';
import { claimsIn } from '../../../../../services/core/src/oauth/testing.ts';
import { sources } from '../../documents/documents.ts';
import { codeOf, setStatus } from '../../verify/installation.ts';
import { ORIGIN as origin, reportsOf, startInstallation, WAYS } from './ways.ts';
import type { Installation, Who } from './ways.ts';

const API = 'https://api.example';

type Client = Awaited<ReturnType<Installation['newClient']>>;
type Answer = Awaited<ReturnType<Installation['token']>>;
/** What a statement is run by, and whether the application is told at once, or only when the session ends. */
interface Run {
  told: 'now' | 'later' | 'never';
  /** Why, in the audit and in the event; nothing if its session’s end, or the change of the application, says so. */
  reason?: AppEndReason;
  /** Where the sign-in lives without a session. */
  grants?: 'own';
  /** Nothing if it is one of the ways. */
  run?: (
    at: Installation,
    signedIn: { who: Who; client: Client; code: Record<string, string>; body: Answer['body'] },
  ) => Promise<unknown>;
}

/** Every statement that deletes client sessions, and what runs it; or why none is left for it. */
const STATEMENTS: Record<string, Record<string, Run> | string> = {
  'packages/db/src/oauth/client-sessions.ts insert: client_session': {
    'the twenty-first sign-in': {
      told: 'later',
      reason: 'replaced',
      run: async (at, { who, client }) => {
        for (let more = 0; more < 20; more += 1) await at.open(client, who);
      },
    },
  },
  'packages/db/src/oauth/client-sessions.ts removeOfClient: client_session': {
    'a code in two hands': {
      told: 'now',
      reason: 'token_reused',
      run: (at, { client, code }) => at.token(client, code),
    },
    'a refresh token in two hands': {
      told: 'now',
      reason: 'token_reused',
      run: async (at, { client, body }) => {
        const { body: next } = await at.refresh(client, body.refresh_token);
        await at.refresh(client, next.refresh_token);
        // As if the grace period of the first had passed.
        const sql = `update client_session set refresh_overtaken_at = '{}', refresh_overtaken = '{}'`;
        await query(at.app.db, sql);
        await at.refresh(client, body.refresh_token);
      },
    },
    'an administrator': {
      told: 'now',
      reason: 'signed_out',
      run: ({ administer }, { client, body }) =>
        administer('delete', `oauth-client/${client.id}/session/${idIn(body)}`),
    },
    'the application itself': {
      told: 'later',
      reason: 'by_application',
      run: ({ http }, { client, body: { refresh_token: token } }) =>
        http.post('/oauth/revoke').auth(client.id, client.secret).type('form').send({ token }),
    },
  },
  'packages/db/src/oauth/client-sessions.ts deleteOver: client_session': {
    'the end of the cookie that it was opened with': {
      told: 'now',
      reason: 'expired',
      run: async ({ app }) => {
        await query(app.db, `update client_session set ends_at = now() - interval '1 second'`);
        await clientSessions.deleteOver(app.service.db, { grantIdleSeconds: 600 });
      },
    },
  },
  'packages/db/src/oauth/client-sessions.ts removeNotLetIn: client_session': {
    'the loss of its group': { told: 'now', reason: 'not_allowed' },
    'the loss of its role': { told: 'now', reason: 'not_allowed' },
    'the loss of an API': { told: 'now' },
  },
  'services/core/src/oauth/own-apps.ts withdrawConsent: client_session': {
    'the withdrawal of the consent': { told: 'now', reason: 'consent_withdrawn' },
  },
  'packages/db/src/oauth/client-sessions.ts removeOwn: client_session': {
    'its owner, who ends all': {
      ...{ told: 'now', reason: 'signed_out', grants: 'own' },
      run: ({ http, bearer }, { who }) => http.delete('/account/grant').set(bearer(who.Token)).expect(204),
    },
  },
  'packages/db/src/schema/migrations/0015_ends_of_grants.sql end_grants: client_session': {
    'a ban': { told: 'now', reason: 'account_disabled', grants: 'own' },
  },
  'services/admin/src/oauth/client.ts removeClient: oauth_client': {
    'the deletion of the application': { told: 'never' },
  },
  'packages/db/src/schema/migrations/0015_ends_of_grants.sql forget_agents: oauth_client': {
    'its host, which is no longer admitted': {
      ...{ told: 'never', reason: 'application_deleted', grants: 'own' },
      run: async ({ app }, { client }) => {
        const sql = `update oauth_client
           set document_url = 'https://agent.example.com/', is_public = true, secret_hash = null,
             backchannel_logout_uri = null, admitted_at = now() - interval '11 minutes'
           where id = ?`;
        await query(app.db, sql, [client.id]);
        await forgetAgents(app.service, undefined);
      },
    },
  },
  'packages/db/src/schema/migrations/0001_client_session_ends.sql announce_logout: client_session': {
    'its owner elsewhere': { told: 'now' },
  },
  'packages/db/src/schema/migrations/0001_client_session_ends.sql : client_session':
    'runs before there is a trigger',
  'packages/db/src/schema/migrations/0010_own_grants.sql end_grants: client_session': 'there is a newer one',
  'packages/db/src/schema/migrations/0013_codes_of_grants.sql end_grants: client_session':
    'there is a newer one',
  'packages/db/src/schema/migrations/0012_client_documents.sql forget_agents: oauth_client':
    'there is a newer one',
  'packages/db/src/guest/guest-accounts.ts removeWithoutContent: account': 'the sessions have ended',
  'packages/db/src/schema/baseline/session.sql forget_sessions: user_session': 'the sessions ended long ago',
  'packages/db/src/schema/migrations/0009_delete_old_rows_in_batches.sql forget_sessions: user_session':
    'the sessions ended long ago',
  'packages/db/src/schema/baseline/erase.sql forget_account: account': 'the sessions have ended',
  'packages/db/src/schema/baseline/login.sql free_former_email: account':
    'the email was never verified: no session',
  'packages/db/src/account/account-admin.ts removeUnverified: account':
    'the email was never verified: no session',
};

describe('a statement that deletes client sessions', () => {
  const at = during(() => startInstallation());
  let verifier: Verifier;
  before(async () => {
    const { Token: token } = await at.newToken({ role: 'Feed' });
    const { ISSUER: issuer } = at.app.settings;
    verifier = createVerifier({ ...{ issuer, url: at.url, audience: API }, revocation: { feed: { token } } });
    await eventually(() => verifier.isFresh);
  });
  after(() => verifier.close());

  it('is listed here', () => {
    const run = sources(/\.(?:ts|sql)$/).filter(({ room }) => room !== 'packages/e2e');
    const found = run.flatMap(({ path, text }) => statementsIn(path, text));
    assert.deepEqual([...new Set(found)].toSorted(), Object.keys(STATEMENTS).toSorted());
  });

  const signIn = async (grants: 'session' | 'own' = 'session') => {
    const limits = { resources: [API], groups: ['staff'], roles: ['User' as const], isTrusted: false };
    const { client, who } = await at.letIn({ grants, ...limits });
    const code = await at.newCode(client, who, { resource: API });
    return { who, client, code, body: (await at.token(client, code)).body };
  };
  const toldOf = ({ client }: { client: Client }) =>
    query.count(at.app.db, 'select 1 from hook_delivery where client_id = ?', [client.id]);

  it('leaves a session that becomes active again signed in nowhere', async () => {
    const one = await signIn();
    for (const status of [SessionStatus.Deactivated, SessionStatus.Normal])
      await setStatus(at.admin, one.who.sessionId, status);
    assert.equal((await at.http.get('/ping/auth').set(at.bearer(one.who.Token))).status, 200);
    assert.equal((await at.refresh(one.client, one.body.refresh_token)).status, 400);
    const token = one.body.access_token;
    await eventually(async () => codeOf(await verifier.verify(token)) === 'session_deactivated', 1);
  });

  for (const [statement, runs] of Object.entries(STATEMENTS)) {
    if (typeof runs === 'string') continue;
    for (const [name, { told, reason, grants, run }] of Object.entries(runs)) {
      it(`by ${name} is known to who checks tokens, reported once, and the application is told ${told}`, async () => {
        const one = await signIn(grants);
        const token = one.body.access_token;
        assert.equal(codeOf(await verifier.verify(token)), 'caller', statement);
        if (run !== undefined) await run(at, one);
        else await (WAYS[name] ?? assert.fail()).end(at, one.who, one.client);
        await eventually(async () => codeOf(await verifier.verify(token)).startsWith('session_'), 1);
        assert.equal(await toldOf(one), told === 'now' ? 1 : 0);
        assert.deepEqual(await reportsOf(at, token), reason === undefined ? [] : [reason]);
        await endOwnSession(at.portal, one.who, origin());
        const times = await toldOf(one);
        assert.equal(times, told === 'never' ? 0 : 1, 'told once, at the end of the session at the latest');
      });
    }
  }
});

/** The statements of a file that delete client sessions, also those that do so by cascade, with their functions. */
function statementsIn(file: string, source: string): string[] {
  let name = '';
  const pattern =
    /(?:function |const (?=\w+ = \w*[sS]tatement\.))(\w+)|\$\$;|delete from (?:public\.|only )?(client_session|oauth_client|user_session|account)\b/g;
  return [...source.matchAll(pattern)].flatMap(([text, called, table]) => {
    if (table !== undefined) return [`${file} ${name}: ${table}`];
    name = text === '$$;' ? '' : (called ?? '');
    return [];
  });
}

function idIn({ access_token: token }: Answer['body']): string {
  return String(claimsIn(token)['client_session']);
}
