import assert from 'node:assert/strict';
import { createHmac, createPrivateKey, createPublicKey, sign, type JsonWebKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  createBrowserSessions,
  createRefreshTokens,
  browserKeysOf,
  readPortalSecret,
} from '@gatehouse/auth-core';
import { deriveKey, newP256Jwk } from '@gatehouse/crypto';
import { connectDb, query, type Db } from '@gatehouse/db';
import { PASSWORD, startWorld, type World } from './testing/index.ts';

const part = (text: string | object | Buffer) =>
  Buffer.from(typeof text === 'string' || Buffer.isBuffer(text) ? text : JSON.stringify(text)).toString(
    'base64url',
  );

/**
 * An attacker who has taken over Portal has its environment and its files. The rights of its Postgres role are tested
 * elsewhere. Here the attacker calls Core and Admin, as a client and with Portal's keys.
 */
describe('an attacker with the secrets of Portal, against Core and Admin', function () {
  this.timeout(120_000);
  let world: World;
  let db: Db;
  let environment: Map<string, string>;
  let admin: { Email: string; Password: string; Token: string; accountId: string; sessionId: string };
  let own: { email: string; Token: string };
  before(async () => {
    world = await startWorld();
    const { facts } = world.stack;
    environment = environmentOf(facts.pids['portal'] ?? 0);
    // With Portal's own role, which may read the owners of sessions.
    db = connectDb({ url: setting('DATABASE_URL'), applicationName: 'attacker', poolMax: 2 });
    const { Email, Password } = facts.admin;
    const { Token } = await world.login(Email, Password);
    const claims = JSON.parse(Buffer.from(Token.split('.')[1] ?? '', 'base64url').toString());
    admin = { Email, Password, Token, accountId: claims.sub, sessionId: claims.sid };
    const email = await world.newAccount();
    own = { email, ...(await world.login(email)) };
  });
  after(async () => {
    await db.destroy();
    await world.stop();
  });

  /** The value of a setting in Portal's environment, or in the file that it names. */
  function setting(name: string): string {
    const file = environment.get(`${name}_FILE`);
    const value =
      environment.get(name) ?? (file === undefined ? undefined : readFileSync(file, 'utf8').trim());
    return value ?? assert.fail(`Portal has no ${name}`);
  }

  const at = async (base: string, path: string, headers: Record<string, string>, body?: object) => {
    const response = await fetch(`${base}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(15_000),
    });
    await response.arrayBuffer();
    return response.status;
  };
  /** The statuses of calls that require an administrator or any session, both through the gateway and directly. */
  const doors = async (headers: Record<string, string>) => {
    const { baseUrl, adminUrl, urls } = world.stack.facts;
    const body = { Email: world.someEmail(), Role: 'Admin', Password: PASSWORD };
    return Promise.all([
      ...[adminUrl, urls.admin].flatMap((base) => [
        at(base, '/admin/account', headers),
        at(base, '/admin/account', headers, body),
        at(base, '/admin/api-token', headers, { Name: 'x', Role: 'Admin' }),
        at(base, `/admin/account/${admin.accountId}/reset-password`, headers, {}),
      ]),
      ...[baseUrl, urls.core].flatMap((base) => [
        at(base, '/ping/auth', headers),
        at(base, '/person', headers),
      ]),
    ]);
  };
  const refusesAll = async (headers: Record<string, string>, what: string) => {
    assert.deepEqual(new Set(await doors(headers)), new Set([401]), what);
  };

  it('has no signing key, nor a secret from which one is derived', () => {
    for (const name of [
      'SIGNING_KEYS',
      'TOKEN_SECRET',
      'TWO_FACTOR_KEY',
      'MAIL_KEY',
      'FIRST_ADMIN_PASSWORD',
      'SSO_PROVIDERS',
    ]) {
      assert.throws(() => setting(name), /Portal has no/);
    }
    const { keys } = JSON.parse(setting('VERIFICATION_KEYS')) as { keys: JsonWebKey[] };
    assert.ok(keys.length > 0 && keys.every((key) => !('d' in key)));
  });

  it('is refused with access tokens signed with the secrets of Portal', async () => {
    const [header, claims] = admin.Token.split('.')
      .slice(0, 2)
      .map((text) => JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>);
    const input = (more: object) => `${part({ ...header, ...more })}.${part({ ...claims, role: 'Admin' })}`;
    const { keys } = JSON.parse(setting('VERIFICATION_KEYS')) as { keys: JsonWebKey[] };
    const secrets = new Map<string, string | Buffer>([
      ['PORTAL_SECRET', setting('PORTAL_SECRET')],
      ['the bytes of PORTAL_SECRET', Buffer.from(setting('PORTAL_SECRET'), 'base64url')],
      ['PASSWORD_PEPPER', setting('PASSWORD_PEPPER')],
      ['MAIL_PUBLIC_KEY', setting('MAIL_PUBLIC_KEY')],
      ['the public keys', setting('VERIFICATION_KEYS')],
    ]);
    for (const [index, key] of keys.entries()) {
      const publicKey = createPublicKey({ key, format: 'jwk' });
      secrets.set(`public key ${index} as PEM`, publicKey.export({ format: 'pem', type: 'spki' }));
      secrets.set(`public key ${index} as JWK`, JSON.stringify(key));
      secrets.set(`public key ${index}, its x`, Buffer.from(key.x ?? '', 'base64url'));
    }
    for (const [what, secret] of secrets) {
      const text = input({ alg: 'HS256' });
      const token = `${text}.${part(createHmac('sha256', secret).update(text).digest())}`;
      await refusesAll({ authorization: `Bearer ${token}` }, what);
    }
    const { d, ...jwk } = newP256Jwk();
    const privateKey = createPrivateKey({ format: 'jwk', key: { ...jwk, d } });
    for (const more of [{}, { jwk }, { kid: 'own', jwk }, { jku: 'http://127.0.0.1:1/jwks.json' }]) {
      const text = input(more);
      const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      await refusesAll(
        { authorization: `Bearer ${text}.${part(signature)}` },
        `a key of its own, ${Object.keys(more).join()}`,
      );
    }
    await refusesAll({ authorization: `Bearer ${input({ alg: 'none' })}.` }, 'no algorithm');
  });

  it('is refused with identity headers', async () => {
    const { accountId, sessionId } = admin;
    const headers = {
      'x-auth-account': accountId,
      'x-auth-session': sessionId,
      'x-auth-role': 'Admin',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-user': admin.Email,
      'x-forwarded-host': 'admin',
      'x-real-ip': '127.0.0.1',
      'x-original-url': '/admin/account',
      forwarded: 'for=127.0.0.1;host=admin',
      'x-portal-secret': setting('PORTAL_SECRET'),
    };
    await refusesAll(headers, 'no token');
    for (const secret of ['PORTAL_SECRET', 'PASSWORD_PEPPER', 'MAIL_PUBLIC_KEY']) {
      await refusesAll({ ...headers, authorization: `Bearer ${setting(secret)}` }, secret);
    }
    const statuses = await doors({ ...headers, authorization: `Bearer ${own.Token}` });
    assert.deepEqual(
      statuses.slice(0, 8),
      Array.from({ length: 8 }, () => 403),
    );
    assert.deepEqual(statuses.slice(8), [200, 200, 200, 200]);
  });

  it('cannot forge a refresh token, a static token or a cookie for Core or Admin', async () => {
    const { sessionId, accountId } = admin;
    const bytes = Buffer.from(setting('PORTAL_SECRET'), 'base64url');
    const held = [bytes.subarray(0, 32), bytes.subarray(32)];
    for (const key of [bytes, ...held, ...held.map((one) => deriveKey(one, 'refresh token'))]) {
      const tokens = createRefreshTokens({ key });
      const RefreshToken = tokens.issue(sessionId, tokens.newNonce());
      assert.equal((await world.post('/account/refresh-token', { RefreshToken })).status, 401);
    }
    const [{ id } = assert.fail('Portal reads no sessions')] = await query<{ id: string }>(
      db,
      'select id from user_session where id = ?',
      [sessionId],
    );
    assert.equal(id, sessionId, 'the session is known');

    const portals = browserKeysOf(readPortalSecret(setting('PORTAL_SECRET')));
    const cookieOf = (value: string) =>
      ['gatehouse-console', '__Host-gatehouse-console', 'gatehouse-pages', '__Host-gatehouse']
        .map((name) => `${name}=${value}`)
        .join('; ');
    const [missing, shared] = portals.pages;
    assert.deepEqual([missing, ...portals.console], [undefined, undefined]);
    const values: string[] = [];
    for (const key of [bytes, ...held, ...held.map((one) => deriveKey(one, 'browser session')), shared]) {
      const forger = createBrowserSessions({ pages: [key, shared], console: [key] });
      for (const purpose of ['pages', 'console'] as const)
        values.push(forger.issue(purpose, { accountId, sessionId }));
    }
    const { adminUrl, baseUrl, urls } = world.stack.facts;
    for (const [base, site, path] of [
      [adminUrl, adminUrl, '/admin/account'],
      [urls.admin, adminUrl, '/admin/account'],
      [baseUrl, baseUrl, '/ping/auth'],
      [urls.core, baseUrl, '/ping/auth'],
    ] as const) {
      for (const value of values) {
        const headers = { cookie: cookieOf(value), 'sec-fetch-site': 'same-origin', origin: site };
        for (const host of [{}, { host: new URL(site).host }]) {
          assert.equal(await at(base, path, { ...headers, ...host }), 401, `${base} ${value}`);
        }
      }
    }
    await stillTheirs();
  });

  it('cannot set an administrator’s password through the public API of Core', async () => {
    const { Email } = admin;
    await world.post('/account/register', { Email, Password: 'of the attacker' });
    const reset = { Email, Code: 'AAAA-AAAA', Password: 'of the attacker' };
    assert.equal((await world.post('/account/reset-password', reset)).status, 400);
    assert.equal((await world.post('/account/verify', { Email, Code: 'AAAA-AAAA' })).status, 400);
    const login = { Username: Email, Password: 'of the attacker' };
    assert.equal((await world.post('/account/login', login)).status, 404);
    await stillTheirs();
  });

  /**
   * Checks that there is still one administrator, with the same password, and that the attacker's account is an
   * ordinary one.
   */
  async function stillTheirs(): Promise<void> {
    assert.equal(await world.pingStatus(admin.Token), 1);
    const { adminUrl } = world.stack.facts;
    const response = await fetch(`${adminUrl}/admin/account?role=Admin`, {
      headers: { authorization: `Bearer ${admin.Token}` },
    });
    const { Items } = (await response.json()) as { Items: { Id: string }[] };
    assert.deepEqual(
      Items.map(({ Id }) => Id),
      [admin.accountId],
    );
    const { Token } = await world.login(own.email);
    assert.equal(await at(adminUrl, '/admin/account', { authorization: `Bearer ${Token}` }), 403);
    own.Token = Token;
  }
});

/** The environment of a process of the same user (proc(5)). */
function environmentOf(pid: number): Map<string, string> {
  const pairs = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
  return new Map(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
}
