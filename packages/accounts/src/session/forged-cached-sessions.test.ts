import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { portalSecretOf, readPortalSecret } from '@gatehouse/auth-core';
import { connectRedis, type Redis } from '@gatehouse/redis';
import { query } from '@gatehouse/db';
import { during, endings, eventually, Proxy } from '@gatehouse/runtime/testing';
import { logout } from './logout.ts';
import { logIn, newAccount, openTestAccounts, type AccountRef, type TestAccounts } from '../testing/index.ts';

const SERVICES = ['core', 'portal', 'admin'] as const;
/** The part of a copy from this position on is covered by its message authentication code. */
const UNAUTHENTICATED_LENGTH = 44;
const origin = { traceId: 'test', dueAt: Infinity };

/**
 * What an attacker with write access to Redis does to the cached copy of a user's active session. That a code is of one
 * copy at one place is tested where it is checked (`copy-reader.test.ts`).
 */
const FORGERIES: [string, (copy: string) => string][] = [
  ['an administrator’s role', (copy) => copy.replace(' U ', ' A ')],
  ['no code', (copy) => copy.replace(/ \S{22}$/, '')],
  ['times that are none', (copy) => `soon soon again and again ${copy.slice(27)}`],
  ['nothing that is a copy', () => 'A'],
];

describe('a manipulated cached session in Redis', () => {
  let app: TestAccounts;
  let at: Record<(typeof SERVICES)[number], TestAccounts>;
  let redis: Redis;
  let person: AccountRef;
  let session: Awaited<ReturnType<typeof logIn>>;
  const atEnd = endings();
  before(async () => {
    app = await openTestAccounts({}, undefined, 'core');
    const portal = await openTestAccounts({}, app, 'portal');
    at = { core: app, portal, admin: await openTestAccounts({}, app, 'admin') };
    redis = connectRedis({ url: app.settings.REDIS_URL, log: app.log });
    await eventually(() => Object.values(at).every(({ sessionCache }) => sessionCache.isConnected()));
    await eventually(() => redis.ping());
  });
  after(async () => {
    redis.disconnect();
    for (const service of [at.admin, at.portal, app]) await service.stop();
  });
  const toPostgres = during(() => Proxy.to(app.settings.DATABASE_URL));
  beforeEach(async () => {
    person = await newAccount(app);
    session = await logIn(app, person);
  });

  const keyOf = async (sessionId: string): Promise<string> => {
    const packed = Buffer.from(sessionId.replaceAll('-', ''), 'hex').toString('base64url');
    const [key = ''] = await redis.keys(`s:*:${packed}`);
    assert.ok(key !== '');
    return key;
  };
  const look = async (service: TestAccounts, token = session.Token) => {
    const found = await service.auth.authenticate(`Bearer ${token}`);
    return found.kind === 'refused' ? found.code : found.role;
  };
  /** A copy with the message authentication code that Portal's keys give it there. */
  const sealed = (key: string, copy: string) => {
    const secret = readPortalSecret(portalSecretOf(app.settings.TOKEN_SECRET)).userSessions;
    const mac = createHmac('sha256', secret).update(`${key} ${copy.slice(UNAUTHENTICATED_LENGTH)}`);
    return `${copy} ${mac.digest('base64url').slice(0, 22)}`;
  };
  const unsealed = async (key: string) => String(await redis.get(key)).replace(/ \S{22}$/, '');
  const ends = (by = app) => logout(by, { accountId: person.id, sessionId: session.sessionId }, origin);
  const covered = async (key: string) => String(await redis.get(key)).slice(UNAUTHENTICATED_LENGTH);

  for (const service of SERVICES) {
    for (const [what, forge] of FORGERIES)
      it(`counts as missing on ${service} and is put back when given ${what}`, async () => {
        assert.equal(await look(at[service]), 'User');
        const key = await keyOf(session.sessionId);
        const genuine = String(await redis.get(key));
        const forged = forge(genuine);
        assert.notEqual(forged, genuine);
        await redis.set(key, forged, 'KEEPTTL');
        assert.equal(await look(at[service]), 'User');
        await eventually(async () => (await covered(key)) === genuine.slice(UNAUTHENTICATED_LENGTH));
        assert.ok(at[service].sessionCache.isConnected());
      });

    it(`does not come back on ${service} after its end`, async () => {
      const key = await keyOf(session.sessionId);
      await ends();
      const ended = String(await redis.get(key));
      const [, version] = ended.slice(UNAUTHENTICATED_LENGTH).split(' ');
      const active = ended.replace(/^(.{44})E \d+ 7 U o /, `$1A ${version} 1 U - `);
      assert.notEqual(active, ended);
      await redis.set(key, active, 'KEEPTTL');
      assert.equal(await look(at[service]), 'session_ended');
    });
  }

  for (const [role, letter] of Object.entries({ Admin: 'A', Service: 'S' }))
    it(`cannot grant the role ${role} with the keys that Portal has`, async () => {
      const key = await keyOf(session.sessionId);
      const text = await unsealed(key);
      assert.equal(sealed(key, text), await redis.get(key));
      await redis.set(key, sealed(key, text.replace(' U ', ` ${letter} `)), 'KEEPTTL');
      for (const service of SERVICES) assert.equal(await look(at[service]), 'User');
    });

  it('is detected although an earlier copy was genuine', async () => {
    const key = await keyOf(session.sessionId);
    const genuine = String(await redis.get(key));
    for (let time = 0; time < 3; time += 1) {
      await redis.set(key, genuine.replace(' U ', ' A '), 'KEEPTTL');
      assert.equal(await look(app), 'User');
    }
  });

  it('does not affect other sessions if its key holds another type', async () => {
    const key = await keyOf(session.sessionId);
    // In one transaction, because a service may otherwise write the copy again in between.
    await redis.multi().del(key).lpush(key, 'nothing').exec();
    for (const service of SERVICES) assert.equal(await look(at[service]), 'User');
    await eventually(async () => (await redis.type(key)) === 'string');
    assert.ok(Object.values(at).every(({ sessionCache }) => sessionCache.isConnected()));
  });

  describe('of an administrator', () => {
    beforeEach(async () => {
      person = await newAccount(app, { role: 'Admin' });
      session = await logIn(app, person);
    });

    it('is accepted on Core only, as Portal cannot verify it and Admin asks Postgres', async () => {
      for (const service of SERVICES) assert.equal(await look(at[service]), 'Admin');
      await query(app.db, `update account set role = 'User' where id = ?`, [person.id]);
      assert.equal(await look(at.core), 'Admin');
      // Portal then puts it back as a user's, which Admin would read.
      for (const service of ['admin', 'portal'] as const) assert.equal(await look(at[service]), 'User');
    });

    it('cannot keep an ended session valid as a user’s, with the keys that Portal has', async () => {
      const key = await keyOf(session.sessionId);
      const text = await unsealed(key);
      const asUser = sealed(key, text.replace(' A ', ' U '));
      assert.ok(!asUser.startsWith(text));
      const own = { accountId: person.id, sessionId: session.sessionId };
      const console = app.browser.sessions.issue('console', own);
      const lookByCookie = async () => {
        const found = await app.auth.authenticate(undefined, { purpose: 'console', value: console });
        return found.kind === 'refused' ? found.code : found.role;
      };
      await redis.set(key, asUser, 'KEEPTTL');
      assert.equal(await lookByCookie(), 'Admin');
      for (const service of SERVICES) assert.equal(await look(at[service]), 'Admin');
      await ends();
      await redis.set(key, asUser, 'KEEPTTL');
      assert.equal(await lookByCookie(), 'session_ended');
      for (const service of SERVICES) assert.equal(await look(at[service]), 'session_ended');
    });

    it('stays as Core has made it while Portal reads it', async () => {
      const key = await keyOf(session.sessionId);
      const made = await covered(key);
      const sql = "update user_session set last_seen_at = now() + interval '1 second' where id = ?";
      await query(app.db, sql, [session.sessionId]);
      assert.equal(await look(at.portal), 'Admin');
      assert.equal(await covered(key), made);
    });

    it('stays as Core has made it when Portal knows of a later activity', async () => {
      const reading = await app.sessionCache.read(person.id, session.sessionId);
      assert.ok(reading);
      const key = await keyOf(session.sessionId);
      const made = await covered(key);
      const lastSeenAt = reading.session.lastSeenAt + 5;
      await at.portal.sessionCache.write([{ ...reading.session, lastSeenAt }]);
      const copy = String(await redis.get(key));
      assert.equal(copy.slice(UNAUTHENTICATED_LENGTH), made);
      assert.equal(Number(copy.slice(0, 10)), lastSeenAt);
    });

    it('shows a change by Portal on all services at once, and no older copy replaces it', async () => {
      const reading = await app.sessionCache.read(person.id, session.sessionId);
      assert.ok(reading);
      await ends(at.portal);
      await app.sessionCache.write([reading.session]);
      for (const service of SERVICES) assert.equal(await look(at[service]), 'session_ended');
      await app.sessionCache.write([reading.session]);
      assert.equal(await look(at.core), 'session_ended');
    });
  });

  it('is read once from Postgres and then from Redis alone', async () => {
    const through = await openTestAccounts({ DATABASE_URL: toPostgres.url }, app);
    atEnd(() => through.stop());
    atEnd(() => toPostgres.heal());
    await eventually(() => through.sessionCache.isConnected());
    const key = await keyOf(session.sessionId);
    await redis.set(key, await unsealed(key), 'KEEPTTL');
    assert.equal(await look(through), 'User');
    await eventually(async () => / \S{22}$/.test(await covered(key)));
    toPostgres.reset();
    assert.equal(await look(through), 'User');
  });
});
