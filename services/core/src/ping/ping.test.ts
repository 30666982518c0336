import assert from 'node:assert/strict';
import { TEST_PASSKEY_SITE } from '@gatehouse/accounts/testing';
import { during, FIREFOX, startCore, type TestCore } from '../testing/index.ts';
import { cast, problem, type Person, type Session } from '../testing/cast.ts';
import { randomUUID } from 'node:crypto';
import { endSessions, publishSessions } from '@gatehouse/accounts';
import { inTransaction, query } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { endings, eventually } from '@gatehouse/runtime/testing';
import { SessionStatus } from '@gatehouse/schema';
import { routes } from '../app.ts';

const ECHO = '/ping?includeHeaders=true';

type End = Parameters<typeof endSessions>;

/** Ends sessions as another process does. */
async function endAs({ app }: TestCore, whose: End[2], change: End[3]): Promise<void> {
  const ended = await inTransaction(app.db, NO_DEADLINE, (tx) =>
    endSessions(app, tx, whose, change, undefined),
  );
  await publishSessions(app, ended);
}

describe('GET /ping, /ping/auth and /.well-known', () => {
  const { another, core, member } = cast({});

  it('responds with Pong as text', async () => {
    const answer = await core().http.get('/ping').expect(200, 'Pong');
    assert.match(answer.headers['content-type'] ?? '', /^text\/plain/);
    await core().http.get('/ping?includeHeaders=false').expect(200, 'Pong');
  });

  it('returns the received headers, secrets redacted', async () => {
    const names =
      'authorization cookie proxy-authorization x-api-key x-my-token client-secret x-password-hint';
    const secrets = Object.fromEntries(names.split(' ').map((name) => [name, 'a=canary']));
    const answer = await core().http.get(ECHO).set(secrets).set('x-plain', 'seen').expect(200);
    assert.equal(answer.body['x-plain'], 'seen');
    for (const name of Object.keys(secrets)) assert.equal(answer.body[name], '[redacted]');
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
  });

  it('echoes headers for callers with a token alone with PING_HEADERS=bearer, and for nobody with off', async () => {
    const bearer = await another({}, { pingHeaders: 'bearer' });
    const off = await another({}, { pingHeaders: 'off' });
    for (const one of [bearer, off]) await one.http.get('/ping').expect(200, 'Pong');
    const { text } = await bearer.http.get(ECHO).set('x-plain', 'seen').expect(problem('token_missing'));
    assert.ok(!text.includes('seen'));
    const headers = { ...bearer.bearer((await (await member()).session()).Token), 'x-plain': 'seen' };
    assert.equal((await bearer.http.get(ECHO).set(headers).expect(200)).body['x-plain'], 'seen');
    for (const refused of [off.http.get(ECHO), off.http.get(ECHO).set(headers)])
      await refused.expect(problem('forbidden'));
  });

  it('refuses callers without the role that a gateway requires', async () => {
    const session = await (await member()).session();
    const check = (parameters: string) => session.get(`/ping/auth?${parameters}`);
    for (const parameters of ['role=User', 'role=Admin&role=User', 'other=1&role=User'])
      await check(parameters).expect(200);
    const others = ['role=Admin', 'role=Admin&role=Service', 'role=', 'role=user', 'role=Admin,User'];
    for (const parameters of others) {
      const { headers, body } = await check(parameters).expect(403);
      assert.deepEqual([headers['x-auth-error'], body.code], ['forbidden', 'forbidden']);
      assert.equal(headers['x-auth-account'], undefined);
    }
  });

  it('publishes only the public halves of the signing keys', async () => {
    const { body, headers } = await core().http.get('/.well-known/jwks.json').expect(200);
    const members = body.keys.map((key: object) => Object.keys(key).toSorted().join());
    const elliptic = ['alg,apps_until,crv,kid,kty,use,x,y', 'alg,crv,kid,kty,use,x,y'];
    assert.deepEqual(members.toSorted(), [...elliptic, 'alg,e,kid,kty,n,use']);
    assert.equal(headers['cache-control'], 'public, max-age=30');
  });

  it('names the origins that share passkeys, as JSON that browsers read', async () => {
    const answer = await core().http.get('/.well-known/webauthn').expect(200);
    assert.match(answer.headers['content-type'] ?? '', /^application\/json/);
    assert.deepEqual(answer.body, { origins: TEST_PASSKEY_SITE.origins });
  });
});

describe('POST /account/ping', () => {
  const { core, member, memberWithSession } = cast({ SESSION_IDLE_SECONDS: 60 });

  it('stores last-seen time and watched content, in Postgres with a delay', async () => {
    const [ann, session] = await memberWithSession();
    const content = randomUUID();
    const columns = `now() - last_seen_at < interval '20 seconds' as "isSeen", content_definition_id as content`;
    const stored = async () => (await ann.sessions<{ isSeen: boolean; content: string | null }>(columns))[0];
    await core().sql("update user_session set last_seen_at = now() - interval '40 seconds'");
    await session.post('/account/ping', { ContentDefinitionId: content }).expect(200);
    await eventually(async () => {
      const row = await stored();
      return row?.content === content && row.isSeen;
    });
    await session.post('/account/ping').expect(200);
    await eventually(async () => (await stored())?.content === null);
  });

  it('needs no body', async () => {
    const { Token } = await (await member()).session();
    await core().http.post('/account/ping').set(core().bearer(Token)).expect(200, { PingStatus: 1 });
  });
});

describe('information about a replaced session', () => {
  const { core, member, memberWithSession } = cast();

  const ping = async (session: Session) => (await session.post('/account/ping')).body;
  const refusal = async (session: Session) => (await session.isChecked().expect(401)).body;
  const replaces = (ann: Person, DeviceName: string, userAgent: string) =>
    ann.logsIn(undefined, { DeviceName }).set('user-agent', userAgent).expect(200);

  it('includes the newer login without its address: in pings, refusals and refreshes', async () => {
    const [ann, first] = await memberWithSession();
    await replaces(ann, 'Ann’s laptop', FIREFOX);
    const { ReplacedBy: replacedBy, PingStatus } = await ping(first);
    assert.equal(PingStatus, 4);
    assert.deepEqual(Object.keys(replacedBy), ['DeviceName', 'UserAgent', 'At']);
    assert.deepEqual([replacedBy.DeviceName, replacedBy.UserAgent], ['Ann’s laptop', FIREFOX]);
    assert.ok(Math.abs(Date.now() - Date.parse(replacedBy.At)) < 60_000, replacedBy.At);
    const third = await ann.session();
    assert.deepEqual((await refusal(first)).ReplacedBy, replacedBy);
    const { body } = await first.refreshes().expect(401);
    assert.deepEqual([body.code, body.ReplacedBy], ['session_replaced', replacedBy]);
    await ann.session();
    assert.deepEqual(Object.keys((await refusal(third)).ReplacedBy), ['At']);
  });

  it('is absent if no login replaced it', async () => {
    const ann = await member();
    const ended = [
      { status: SessionStatus.SessionReplaced, reason: 'administrator' },
      { status: SessionStatus.Deactivated, reason: 'replaced' },
    ] as const;
    for (const end of ended) {
      const session = await ann.session();
      const whose = { kind: 'account', accountId: await ann.id() } as const;
      await endAs(core(), whose, { ...end, changedBy: undefined });
      assert.ok(!('ReplacedBy' in (await ping(session))));
      assert.ok(!('ReplacedBy' in (await refusal(session))));
    }
  });

  it('is omitted when Postgres does not respond, and sent later', async () => {
    const [ann, session] = await memberWithSession();
    await replaces(ann, 'newer', FIREFOX);
    await core().app.db.transaction(async (tx) => {
      await query(tx, 'lock table user_session in access exclusive mode');
      const begun = performance.now();
      assert.deepEqual([(await refusal(session)).ReplacedBy], [undefined]);
      assert.equal((await ping(session)).PingStatus, 4);
      assert.ok(performance.now() - begun < 1500);
    });
    assert.equal((await refusal(session)).ReplacedBy.DeviceName, 'newer');
  });
});

describe('the configuration of the OpenID Connect provider', () => {
  const core = during(() => startCore({}, undefined, { publicUrl: 'https://pages.gatehouse.test/' }));
  const atEnd = endings();

  it('is the same at both addresses but for the keys, for pages of every origin', async () => {
    const { body, headers } = await core.http.get('/.well-known/openid-configuration').expect(200);
    assert.equal(headers['cache-control'], 'public, max-age=300');
    assert.equal(headers['access-control-allow-origin'], '*');
    assert.equal(body.issuer, core.app.settings.ISSUER);
    assert.equal(body.authorization_endpoint, 'https://pages.gatehouse.test/oauth/authorize');
    // Scopes of an application's own mean something to its APIs alone.
    assert.deepEqual(body.scopes_supported, ['openid', 'profile', 'email', 'offline_access', 'groups']);
    const both = { ...body, jwks_uri: `${core.app.settings.ISSUER}/.well-known/jwks.json` };
    assert.notDeepEqual(body, both);
    await core.http.get('/.well-known/oauth-authorization-server').expect(200, both);
  });

  it('names the keys of version 1.0 until there are others', async () => {
    const { keys } = JSON.parse(core.app.settings.ID_TOKEN_KEYS ?? '') as { keys: { alg: string }[] };
    const earlier = JSON.stringify({ keys: keys.filter(({ alg }) => alg === 'RS256') });
    const upgraded = await startCore({ ID_TOKEN_KEYS: earlier });
    atEnd(upgraded.stop);
    const { body } = await upgraded.http.get('/.well-known/openid-configuration').expect(200);
    assert.equal(body.jwks_uri, `${upgraded.app.settings.ISSUER}/.well-known/jwks.json`);
  });

  it('is of endpoints that pages of every origin may call where an app in a browser does', async () => {
    const open: string[] = [];
    for (const path of new Set(routes.map((route) => route.path))) {
      const { headers } = await core.http.options(path).set('origin', 'https://spa.example');
      if (headers['access-control-allow-origin'] === '*') open.push(path);
    }
    assert.deepEqual(open.toSorted(), [
      ...['jwks.json', 'oauth-authorization-server', 'openid-configuration'].map(
        (name) => `/.well-known/${name}`,
      ),
      ...['device_authorization', 'jwks.json', 'revoke', 'token', 'userinfo'].map((name) => `/oauth/${name}`),
    ]);
  });
});
