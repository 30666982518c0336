import { ALL_ROUTES, nameOf } from '@gatehouse/codegen';
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { portalSecretOf, readPortalSecret } from '@gatehouse/auth-core';
import { connectRedis, type Redis } from '@gatehouse/redis';
import { during, eventually } from '@gatehouse/runtime/testing';
import { createFixtures } from '../requests/objects.ts';
import { newCaller, type Caller } from '../requests/prepared/prepared.ts';
import { requestFor } from '../requests/request-for.ts';
import { startServices } from '../requests/services.ts';
import { patiently } from '../requests/send.ts';
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
  after(() => redis.disconnect());

  /** The names of the routes that do not refuse these headers; `prepare` runs before each call. */
  const admittedTo = async (
    owner: Caller,
    headers: Record<string, string>,
    prepare: () => Promise<unknown>,
  ) => {
    const admitted: string[] = [];
    for (const { api, route } of ROUTES) {
      const sent = await requestFor(route, fixtures.of(owner));
      const guessed = { ...sent, headers: { ...sent.headers, ...headers }, body: withGuesses(sent.body) };
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
    const held = readPortalSecret(portalSecretOf(services.app.settings.TOKEN_SECRET));
    const mac = createHmac('sha256', held.userSessions).update(covered).digest('base64url').slice(0, 22);
    const sql = 'update user_session set status = 4, ended_at = now(), version = version + 1 where id = ?';
    await services.sql(sql, [sessionId]);
    return () => redis.set(key, `${asUser} ${mac}`, 'EX', 3600);
  };

  it('refuses an administrator’s token whose session has ended, whatever copy of it Portal keeps', async () => {
    const victim = await newCaller(services, 'Admin');
    const forge = await endAndForge(victim);
    const admitted = await admittedTo(victim, { authorization: `Bearer ${victim.Token}` }, forge);
    assert.deepEqual(admitted, ['POST /account/ping 200 undefined']);
  });

  const byCookie = (victim: Caller) => cookies(services.app.browser.sessions, victim);
  const byToken = ({ Token }: Caller) => ({ authorization: `Bearer ${Token}` });

  for (const [what, role, headersOf] of [
    ['a user’s cookie', 'User', byCookie],
    ['an administrator’s cookie', 'Admin', byCookie],
    ['a user’s token', 'User', byToken],
  ] as const)
    it(`opens and exports nothing for ${what} of an ended session`, async () => {
      const victim = await newCaller(services, role);
      const forge = await endAndForge(victim);
      const admitted = new Set<string>();
      // On a busy machine the true copy may be written between forgery and request: until the forged one is believed.
      await eventually(async () => {
        const all = await admittedTo(victim, headersOf(victim), forge);
        for (const one of all) admitted.add(one);
        return all.some((one) => one.startsWith('GET /ping/auth 2'));
      }, 60);
      // Every other answer was given without proof: it was wrong about the request, and had no effect.
      const effective = [...admitted].filter((one) => / 2\d\d /.test(one));
      const opened = effective.map((one) => one.replace(/ 2\d\d .*$/, ''));
      assert.deepEqual(opened.filter((name) => !KEPT_ALIVE.includes(name)).toSorted(), []);
    });
});
