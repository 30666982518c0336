import assert from 'node:assert/strict';
import { changeAccount, logout, publishSessions, scheduleErasure } from '@gatehouse/accounts';
import { PASSWORD, sweepLapsedSessions } from '@gatehouse/accounts/testing';
import { query, type AccountChange, type OAuthClientFields } from '@gatehouse/db';
import { insertRow } from '@gatehouse/db/testing';
import { createEventReader } from '@gatehouse/events';
import { eventually } from '@gatehouse/runtime/testing';
import { SessionStatus, type AppEndReason } from '@gatehouse/schema';
import { randomUUID } from 'node:crypto';
import { claimsIn, SAME_ORIGIN } from '../../../../../services/core/src/oauth/testing.ts';
import type { TestClient } from '../../../../../services/core/src/oauth/testing.ts';
import { logoutByProvider } from '../../../../../services/admin/src/sso/logout/backchannel-logout.ts';
import { endOwnSession } from '../../../../../services/portal/src/account/session/session.ts';
import { changeSessions } from '../../../../../services/admin/src/session/bulk.ts';
import { ORDER } from '../../../../../services/admin/src/session/testing.ts';
import { startServices } from '../../requests/services.ts';

export type Installation = Awaited<ReturnType<typeof startInstallation>>;
export type Who = Awaited<ReturnType<Installation['signIn']>>;

export async function startInstallation(settings: Parameters<typeof startServices>[0] = {}) {
  const { admin, core, portal, stop } = await startServices(settings);
  const { Token: administrator } = await admin.newToken({ role: 'Admin' });
  const signIn = async () => {
    const who = await core.signIn();
    await core.sql(`update account set groups = '{staff}' where id = ?`, [who.id]);
    return { ...who, accountId: who.id };
  };
  return {
    ...core,
    ...{ portal: portal.app.service, admin: admin.app.service, adminHttp: admin.http, stop },
    administer: async (method: 'patch' | 'delete', path: string, body?: object) => {
      const call = admin.call(method, `/admin/${path}`, administrator, body);
      await call.expect(body ? 200 : 204);
    },
    signIn,
    /** Somebody who is signed in, and an application that wants to hear of the end, which they have let in. */
    letIn: async (fields?: Partial<OAuthClientFields>) => {
      const client = await core.newClient({ backchannelLogoutUri: 'https://app.example/logout', ...fields });
      const who = await signIn();
      const consent = { accountId: who.id, clientId: client.id, scopes: '{openid,email,offline_access}' };
      if (!client.isTrusted) await insertRow(core.app.db, 'oauth_consent', consent);
      return { client, who };
    },
  };
}

/** A way in which a session, or what an application has of it, ends. */
export interface Way {
  /** Who ends it: somebody, or nobody, as it runs out or another login takes its place. */
  by: 'somebody' | 'nobody' | 'client';
  /** The file in which sessions end; nothing: no session ends. */
  caller?: string;
  client?: Partial<OAuthClientFields>;
  /** What the application asks for, besides the usual. */
  asked?: Record<string, string>;
  /** Why a sign-in that has no session ends, too; nothing: it outlives this. */
  reason?: AppEndReason;
  /** How the person has signed in, if not with a password. */
  proof?: 'passkey' | 'sign-on';
  end: (at: Installation, who: Who, client: TestClient) => Promise<unknown>;
}

export const ORIGIN = () => ({ traceId: randomUUID().replaceAll('-', ''), dueAt: Infinity });
const API = 'https://api.example';
const SYSTEM = { kind: 'System' } as const;

const byAdministrator = (
  targetOf: (who: Who) => Parameters<typeof changeSessions>[1],
  { status = SessionStatus.Deactivated, ...more }: Partial<Way> & { status?: SessionStatus } = {},
): Way => ({
  ...{ by: 'somebody', caller: 'services/admin/src/session/bulk.ts', ...more },
  end: ({ admin }, who) => changeSessions(admin, targetOf(who), { ...ORDER, origin: ORIGIN(), status }),
});
const byChange = (change: AccountChange, more: Partial<Way>): Way => ({
  by: 'somebody',
  end: ({ admin }, who) => changeAccount(admin, who.id, change, { actor: SYSTEM, origin: ORIGIN() }),
  ...more,
});
const byPatch = (changes: object, more: Partial<Way> = {}): Way => ({
  ...{ by: 'client', reason: 'application_changed' },
  end: ({ administer }, _, { id }) => administer('patch', `oauth-client/${id}`, changes),
  ...more,
});
/** The header of another session of an account, which is not in a slot. */
async function elsewhere({ app, bearer }: Installation, accountId: string) {
  const sessionId = randomUUID();
  const proved = { authenticatedAt: new Date(), authenticatedBy: '{password}' };
  await insertRow(app.db, 'user_session', {
    ...{ id: sessionId, accountId, status: 1, isExclusive: false, refreshCurrent: '', refreshNext: '' },
    ...{ ...proved, expiresAt: new Date(Date.now() + 3_600_000) },
  });
  return bearer((await app.tokens.sign({ accountId, sessionId, role: 'User' })).token);
}
/** Has its owner remove a passkey, whose id is that of the account. */
export async function removePasskey(at: Installation, { id }: Who): Promise<void> {
  await insertRow(at.app.db, 'passkey', {
    ...{ id, accountId: id, credentialId: Buffer.from(id), publicKey: '', algorithm: -7, name: 'Key' },
    ...{ isBackupEligible: true, isBackedUp: true },
  });
  const by = await elsewhere(at, id);
  await at.http.delete(`/account/passkey/${id}`).set(by).send({ CurrentPassword: PASSWORD }).expect(204);
}
const ACCOUNTS = 'account/admin/change-accounts.ts';

/** Every way; the test of callers fails for one that is missing. */
export const WAYS: Record<string, Way> = {
  'a logout': {
    ...{ by: 'somebody', caller: 'session/logout.ts' },
    end: ({ app }, who) => logout(app.service, who, ORIGIN()),
  },
  'a logout by an application': {
    ...{ by: 'somebody', caller: 'session/logout.ts' },
    end: async ({ http }, { cookie }) => {
      const body = { Request: '', Confirmed: true };
      const headers = { ...SAME_ORIGIN, cookie };
      await http.post('/oauth/end-session').set(headers).send(body).expect(200);
    },
  },
  'its owner elsewhere': {
    ...{ by: 'somebody', caller: 'services/portal/src/account/session/session.ts' },
    end: ({ portal }, who) => endOwnSession(portal, who, ORIGIN()),
  },
  'another login': {
    ...{ by: 'nobody', caller: 'session/open-and-end.ts' },
    end: ({ login }, who) => login(who),
  },
  'its age': {
    ...{ by: 'nobody', caller: 'session/lapsed-sessions.ts' },
    end: async ({ app }, { sessionId }) => {
      const over = `select 1 from user_session where id = ? and (ended_at is not null or expires_at <= clock_timestamp())`;
      await eventually(() => query.any(app.db, over, [sessionId]));
      await sweepLapsedSessions(app.service);
    },
  },
  'its identity provider': {
    ...{ by: 'somebody', caller: 'services/admin/src/sso/logout/backchannel-logout.ts' },
    end: ({ admin }, { sessionId }) =>
      logoutByProvider(
        admin,
        {
          ...{ provider: 'corporate', issuer: 'https://idp.example', subject: undefined, sid: sessionId },
          ...{ id: randomUUID(), isOldAtSeconds: Date.now() / 1000 + 600 },
        },
        ORIGIN(),
      ),
  },
  'an administrator, by its id': byAdministrator(({ sessionId }) => ({ kind: 'session', sessionId })),
  'an administrator, as expired': byAdministrator(({ sessionId }) => ({ kind: 'session', sessionId }), {
    status: SessionStatus.Expired,
  }),
  'an administrator, by its account': byAdministrator(({ id }) => ({ kind: 'account', accountId: id }), {
    reason: 'administrator',
  }),
  'an administrator, in a list': byAdministrator(({ sessionId }) => ({
    kind: 'named',
    sessionIds: [sessionId],
  })),
  'an administrator, by a filter': byAdministrator(({ email }) => ({
    kind: 'filter',
    filter: { search: email },
  })),
  'a ban': byChange({ isDisabled: true }, { caller: ACCOUNTS, reason: 'account_disabled' }),
  'the end of its account': byChange(
    { expiresAt: new Date(0) },
    { caller: ACCOUNTS, reason: 'account_expired' },
  ),
  'an order of erasure': {
    ...{ by: 'somebody', caller: 'erasure/erasure.ts', reason: 'account_erased' },
    end: ({ admin }, { id }) => scheduleErasure(admin, { accountId: id, actor: SYSTEM }, ORIGIN()),
  },
  'a new password': {
    ...{ by: 'somebody', caller: 'services/core/src/account/password.ts', reason: 'password_changed' },
    end: async (at, { id }) => {
      const body = { CurrentPassword: PASSWORD, Password: 'another correct horse' };
      const by = await elsewhere(at, id);
      await at.http.post('/account/change-password').set(by).send(body).expect(200);
    },
  },
  'the removal of a passkey': {
    ...{ by: 'somebody', caller: 'services/core/src/passkey/passkeys.ts' },
    ...{ proof: 'passkey', reason: 'passkey_removed' },
    end: removePasskey,
  },
  'an unlinked identity': {
    ...{ by: 'somebody', caller: 'services/core/src/sso/own-identities.ts' },
    ...{ proof: 'sign-on', reason: 'identity_unlinked' },
    end: async (at, { id }) => {
      const sql = `insert into sso_identity (issuer, subject, account_id, provider)
         values ('https://idp.example', ?, ?, 'corporate')
         returning number`;
      const number = await query.onlyValue<string>(at.app.db, sql, [id, id]);
      const body = { Number: Number(number), CurrentPassword: PASSWORD };
      const by = await elsewhere(at, id);
      await at.http.delete('/account/identity').set(by).send(body).expect(204);
    },
  },
  'the loss of its role': byChange(
    { role: 'Admin' },
    { by: 'client', client: { roles: ['User'] }, reason: 'not_allowed' },
  ),
  'the loss of its group': byChange(
    { groups: [] },
    { by: 'client', client: { groups: ['staff'] }, reason: 'not_allowed' },
  ),
  'other roles of the application': byPatch({ Roles: ['Admin'] }),
  'other groups of the application': byPatch({ Groups: ['directors'] }),
  'the loss of trust in the application': byPatch({ IsTrusted: false }),
  'the loss of an API': byPatch(
    { Resources: [] },
    { client: { resources: [API] }, asked: { resource: API } },
  ),
  'the deletion of the application': {
    ...{ by: 'client', reason: 'application_deleted' },
    end: ({ administer }, _, { id }) => administer('delete', `oauth-client/${id}`),
  },
  'the withdrawal of the consent': {
    ...{ by: 'client', client: { isTrusted: false }, reason: 'consent_withdrawn' },
    end: async ({ http, bearer }, { Token }, client) =>
      http.delete(`/account/app/${client.id}`).set(bearer(Token)).expect(204),
  },
};

/** Why the sign-in of an access token ended, as the audit has it, where each entry has its event. */
export async function reportsOf({ app }: Pick<Installation, 'app'>, token: string) {
  const { sid, client_session: ClientSessionId } = claimsIn(token);
  const id = String(sid);
  const isOf = `details ->> 'SessionId' = ? and action = 'app.signed-out'`;
  const audited = `select details, target_id as client, trace_id as trace from audit where ${isOf}`;
  const entries = await query<Record<'details' | 'client' | 'trace', unknown>>(app.db, audited, [id]);
  const announced = `select event from outbox where type = 'app.signed-out' and event #>> '{data,SessionId}' = ?`;
  const events = await query<{ event: object }>(app.db, announced, [id]);
  const read = createEventReader();
  const told = events.map(({ event }) => read(Buffer.from(JSON.stringify(event))));
  assert.deepEqual(
    told.map((one) => (typeof one === 'string' ? one : { ...one.data, trace: one.traceid ?? null })),
    entries.map(({ details, client: ClientId, trace }) => {
      return { ...(details as object), ClientId, ClientSessionId, trace };
    }),
  );
  return entries.map(({ details }) => (details as { Reason?: unknown }).Reason);
}

/** Makes a session one of a provider's, of a passkey, or one that its age ends in a second and a half, if the way needs it. */
export async function prepare(at: Installation, who: Who, way: string): Promise<void> {
  const lifetime = way === 'its age' ? 1.5 : 3600;
  const proof = WAYS[way]?.proof;
  const isSignedOn = way === 'its identity provider' || proof === 'sign-on';
  await query(
    at.app.db,
    `update user_session
     set sso_provider = :provider, sso_sid = id::text, expires_at = now() + make_interval(secs => :lifetime),
       passkey_id = cast(:passkeyId as uuid), version = version + 1
     where id = :id`,
    {
      ...{ id: who.sessionId, lifetime, provider: isSignedOn ? 'corporate' : null },
      passkeyId: proof === 'passkey' ? who.id : null,
    },
  );
  for (const table of proof === undefined ? [] : ['user_session', 'oauth_code', 'client_session'])
    await query(at.app.db, `update ${table} set authenticated_by = array[:proof] where account_id = :id`, {
      ...{ id: who.id, proof: String(proof) },
    });
  await publishSessions(at.app, [who.sessionId]);
}
