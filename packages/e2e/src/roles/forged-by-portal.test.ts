import { ALL_ROUTES, nameOf } from '@gatehouse/codegen';
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { browserKeysOf, createBrowserSessions, portalSecretOf, readPortalSecret } from '@gatehouse/auth-core';
import { connectRedis, type Redis } from '@gatehouse/redis';
import { during, eventually } from '@gatehouse/runtime/testing';
import { createFixtures } from '../requests/objects.ts';
import { newCaller, type Caller } from '../requests/prepared/prepared.ts';
import { requestFor } from '../requests/request-for.ts';
import { startServices } from '../requests/services.ts';
import { patiently, type Sent } from '../requests/send.ts';
import { cookies } from './users.ts';

const ROUTES = ALL_ROUTES.filter(({ api, route }) => api !== 'Portal' && route.access !== 'public');

/** The part of a cached session from this position on is covered by its message authentication code. */
const UNAUTHENTICATED_LENGTH = 44;

/**
 * What a user's or guest's credential that Portal has seen is still good for after its session has ended, if Portal
 * keeps a copy of the session in Redis (docs/least-privilege.md). Nothing here opens an account, or takes data out of it.
 */
const KEPT_ALIVE = [
  // Taking an application away opens nothing.
  'DELETE /account/app/{id}',
  'DELETE /account/grant',
  'DELETE /account/grant/{id}',
  'DELETE /person/{id}',
  'GET /account/app',
  'GET /account/identity',
  'GET /account/passkey',
  // Portal can read the addresses and devices of sessions anyway.
  'GET /account/grant',
  'GET /account/sign-in',
  'GET /person',
  'GET /person/{id}',
  'GET /person/{id}/{faceMatchType}',
  'GET /ping/auth',
  'POST /account/logout',
  'POST /account/passkey/confirmation',
  'POST /account/ping',
  'POST /person',
  'POST /person/{id}/face',
  'PUT /account/passkey/{id}',
  'PUT /person/{id}',
  'PUT /person/{id}/face',
  'PUT /person/{id}/face/{faceId}',
];

describe('every route of Core and Admin, for an attacker who has taken over Portal', function () {
  this.timeout(120_000);
  const services = during(() => startServices());
  let redis: Redis;
  let fixtures: ReturnType<typeof createFixtures>;
  before(async () => {
    const { app, adminToken } = services;
    redis = connectRedis({ url: app.settings.REDIS_URL, log: app.log });
    await eventually(() => redis.ping());
    fixtures = createFixtures(services, adminToken);
  });
  after(async () => {
    redis.disconnect();
  });

  const held = () => readPortalSecret(portalSecretOf(services.app.settings.TOKEN_SECRET));

  /** The names of the routes that do not refuse these headers; `prepare` runs before each call. */
  const admittedTo = async (
    owner: Caller,
    headers: Record<string, string>,
    prepare: () => Promise<unknown> = () => Promise.resolve(),
  ) => {
    const admitted: string[] = [];
    for (const { api, route } of ROUTES) {
      const sent = await requestFor(route, fixtures.of(owner));
      const guessed: Sent = {
        ...sent,
        headers: { ...sent.headers, ...headers },
        body: withGuesses(sent.body),
      };
      const { status, body } = await patiently(async () => {
        await prepare();
        return services.send(api, guessed);
      });
      assert.ok(status < 500, `${nameOf(route)}: ${status}`);
      if (status !== 401 && status !== 403)
        admitted.push(`${nameOf(route)} ${status} ${String(body['code'])}`);
    }
    return admitted;
  };
  /** What Portal does not know of its victim is guessed. */
  const withGuesses = (body: unknown): unknown => {
    if (typeof body !== 'object' || body === null) return body;
    const known = body as Record<string, unknown>; // an object, as it is not null
    const secrets = ['Password', 'CurrentPassword'].filter((name) => name in known);
    return { ...known, ...Object.fromEntries(secrets.map((name) => [name, 'of the attacker'])) };
  };
  /** Ends the session, and returns what puts an active copy of it into Redis, authenticated with Portal's key. */
  const endAndForge = async ({ sessionId }: Caller) => {
    const packed = Buffer.from(sessionId.replaceAll('-', ''), 'hex').toString('base64url');
    const [key = ''] = await redis.keys(`s:*:${packed}`);
    const copy = String(await redis.get(key)).replace(/ \S{22}$/, '');
    const asUser = copy.replace(' A ', ' U ');
    const covered = `${key} ${asUser.slice(UNAUTHENTICATED_LENGTH)}`;
    const mac = createHmac('sha256', held().userSessions).update(covered).digest('base64url').slice(0, 22);
    const sql = 'update user_session set status = 4, ended_at = now(), version = version + 1 where id = ?';
    await services.sql(sql, [sessionId]);
    return () => redis.set(key, `${asUser} ${mac}`, 'EX', 3600);
  };

  it('refuses cookies that Portal makes for anybody’s active session', async () => {
    const [first, checked] = browserKeysOf(held()).pages;
    assert.equal(first, undefined);
    const forger = createBrowserSessions({ pages: [checked, checked], console: [checked] });
    for (const role of ['User', 'Admin'] as const) {
      const victim = await newCaller(services, role);
      assert.deepEqual(await admittedTo(victim, cookies(forger, victim)), [], role);
    }
  });

  it('refuses an administrator’s token whose session has ended, whatever copy of it Portal keeps', async () => {
    const victim = await newCaller(services, 'Admin');
    const forge = await endAndForge(victim);
    const headers = { authorization: `Bearer ${victim.Token}` };
    const admitted = await admittedTo(victim, headers, forge);
    assert.deepEqual(admitted, ['POST /account/ping 200 undefined']);
  });

  for (const role of ['User', 'Admin'] as const) {
    it(`opens and exports nothing for a cookie of an ended session: ${role}`, async () => {
      const victim = await newCaller(services, role);
      const forge = await endAndForge(victim);
      const shown = cookies(services.app.browser.sessions, victim);
      onlyKept(await admittedByCopy(victim, shown, forge));
    });
  }

  it('opens and exports nothing for a user’s token of an ended session', async () => {
    const victim = await newCaller(services, 'User');
    const forge = await endAndForge(victim);
    onlyKept(await admittedByCopy(victim, { authorization: `Bearer ${victim.Token}` }, forge));
  });

  /** All answers until the copy is believed: on a busy machine the true one may be written between forgery and request. */
  const admittedByCopy = async (...asked: Parameters<typeof admittedTo>): Promise<string[]> => {
    const all: string[] = [];
    await eventually(async () => {
      const admitted = await admittedTo(...asked);
      all.push(...admitted);
      return admitted.some((one) => one.startsWith('GET /ping/auth 2'));
    }, 60);
    return [...new Set(all)];
  };

  /** Answers that a route gives without proof: it was wrong about the request, and had no effect. */
  const onlyKept = (admitted: string[]): void => {
    const effective = admitted
      .filter((one) => / 2\d\d /.test(one))
      .map((one) => one.replace(/ 2\d\d .*$/, ''));
    assert.deepEqual(effective.filter((name) => !KEPT_ALIVE.includes(name)).toSorted(), []);
    assert.ok(effective.includes('GET /ping/auth'), 'the copy is believed');
  };
});
