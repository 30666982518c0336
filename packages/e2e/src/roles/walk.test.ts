import { ALL_ROUTES, CALLERS, nameOf, readRoles, type Caller } from '@gatehouse/codegen';
import assert from 'node:assert/strict';
import { during } from '@gatehouse/runtime/testing';
import { createPrincipals, type Principal } from './users.ts';
import { startServicesWithProvider } from '../requests/demo-provider.ts';
import { createEffectiveRequests } from '../requests/effective-requests.ts';
import { concernsOwnedObject, requestFor } from '../requests/request-for.ts';
import { createFixtures } from '../requests/objects.ts';
import { newCaller } from '../requests/prepared/prepared.ts';
import { watch } from './watch.ts';
import type { Received, Sent } from '../requests/send.ts';
import { otherMethods, spellingsOf } from './spellings.ts';

type Entry = (typeof ALL_ROUTES)[number];

/** The callers that docs/roles.md admits, by route name. */
const TABLE = new Map(readRoles().map(({ name, admitted }) => [name, new Set(admitted)]));

/** Routes that hand over a session, which is not possible with a browser's cookie. */
const NOT_IN_BROWSERS = new Set(['POST /console/handover']);

describe('every route with every kind of caller', () => {
  const services = during(() => startServicesWithProvider());
  let effectiveOf: ReturnType<typeof createEffectiveRequests>;
  let strangers: Principal[];
  /** Principals whose session may be ended by their own calls, and how to create another one. */
  let users: { create: () => Promise<Principal>; principal: Principal }[];
  let requests: Map<string, { principal: Principal; sent: Sent }[]>;
  let look: ReturnType<typeof watch>;

  before(async () => {
    const { app, adminToken } = services;
    effectiveOf = createEffectiveRequests(services);
    const principals = createPrincipals(services, adminToken);
    strangers = [
      ...(await principals.nobodies()),
      ...(await principals.ended()),
      ...(await principals.tokens()),
    ];
    users = await Promise.all(
      principals.users.map(async ({ create }) => ({ create, principal: await create() })),
    );
    requests = new Map();
    const fixtures = createFixtures(services, adminToken);
    for (const principal of everybody()) {
      const own = fixtures.of(principal.owner);
      for (const { route } of ALL_ROUTES) {
        const sent = signed(await requestFor(route, own), principal);
        requests.set(nameOf(route), [...(requests.get(nameOf(route)) ?? []), { principal, sent }]);
      }
    }
    look = watch(app);
    await look();
  });

  const everybody = (): Principal[] => [...strangers, ...users.map(({ principal }) => principal)];
  /** Outside the console, a browser session does not give administrator rights. */
  const roleAt = ({ api }: Entry, { as, isInBrowser }: Principal): Caller =>
    isInBrowser === true && as === 'Admin' && api !== 'Admin' ? 'User' : as;
  const isLetIn = (entry: Entry, principal: Principal) => {
    const name = nameOf(entry.route);
    const isForIt = principal.isInBrowser !== true || !NOT_IN_BROWSERS.has(name);
    return isForIt && TABLE.get(name)?.has(roleAt(entry, principal)) === true;
  };
  /** Sends all requests, each of which returns what is wrong with its response. Expects no faults and no effects. */
  const callInVain = async (calls: Promise<string[]>[]): Promise<void> => {
    const wrong = (await Promise.all(calls)).flat();
    assert.deepEqual({ wrong, changed: await look() }, { wrong: [], changed: [] });
  };

  it('is called by every kind of caller', () => {
    assert.deepEqual(new Set(everybody().map(({ as }) => as)), new Set(CALLERS));
  });

  for (const entry of ALL_ROUTES) {
    const name = nameOf(entry.route);

    it(`${name} refuses callers that docs/roles.md does not list, without effect`, async () => {
      assert.ok(TABLE.has(name), `docs/roles.md does not know it: npm run openapi`);
      const refused = (requests.get(name) ?? []).filter(({ principal }) => !isLetIn(entry, principal));
      await callInVain(
        refused.flatMap(({ principal, sent }) => [
          services.send(entry.api, sent).then((answer) => unlikeRefusal(answer, principal)),
          ...(sent.method === 'GET' ? [refusedHead(entry, sent, principal)] : []),
        ]),
      );
    });

    it(`${name} has no other spelling and no other method`, async () => {
      const methods = ALL_ROUTES.filter(({ route }) => route.path === entry.route.path).flatMap(methodsOf);
      const own = new Set(methods);
      // The callers with the least and the most privileges.
      const some = (requests.get(name) ?? []).filter(({ principal }) => EXTREMES.includes(principal.name));
      const others = some.flatMap(({ sent }) => [
        ...spellingsOf(sent.path).map((path) => ({ ...sent, path })),
        ...otherMethods(sent, own),
      ]);
      await callInVain(others.map((sent) => missed(entry, sent)));
      for (const { sent } of some) {
        const options = await services.send(entry.api, { method: 'OPTIONS', path: sent.path });
        assert.deepEqual([options.status, options.text], [204, '']);
      }
    });
  }

  for (const entry of ALL_ROUTES) {
    const name = nameOf(entry.route);

    it(`${name} accepts callers that docs/roles.md lists`, async () => {
      const principals = everybody().filter((principal) => isLetIn(entry, principal));
      const fixtures = createFixtures(services, services.adminToken);
      const answers = await Promise.all(
        principals.map(async (principal) => {
          const sent = await requestFor(entry.route, fixtures.of(principal.owner));
          const answer = await services.send(entry.api, signed(sent, principal));
          // What anybody may call is refused for what the request holds: the effective request below has it right.
          const isUnknown = answer.status === 401 || answer.body['code'] === 'forbidden';
          const isRefused = isUnknown && entry.route.access !== 'public';
          assert.ok(!isRefused && answer.status < 500, `${principal.name}: ${answer.status} ${answer.text}`);
          return answer;
        }),
      );
      // If the request has no effect for anyone, the refusals prove nothing.
      if (!answers.some(({ status }) => status < 400)) {
        for (const { name: variant, api, sent } of await effectiveOf(entry)) {
          const { status, text } = await services.send(api, sent);
          assert.ok(status < 400, `${variant}: packages/e2e/src/requests lacks what it takes: ${text}`);
        }
      }
      if (entry.route.method !== 'get') await replaceEnded();
    });
  }

  const ofPeople = ALL_ROUTES.filter(({ route }) => TABLE.get(nameOf(route))?.has('User') === true);
  for (const entry of ofPeople.filter(({ route }) => concernsOwnedObject(route))) {
    it(`${nameOf(entry.route)} does not expose resources of others`, async () => {
      const fixtures = createFixtures(services, services.adminToken).of(await newCaller(services, 'User'));
      const sent = await requestFor(entry.route, fixtures);
      await look();
      // Administrators may access what belongs to others, except sessions and passkeys, which are personal.
      const isOwn = /^\/account\/(session|passkey)\//.test(entry.route.path);
      const others = users.map(({ principal }) => principal).filter(({ as }) => as !== 'Admin' || isOwn);
      await callInVain(
        others.map(async (principal) => {
          const { status, text } = await services.send(entry.api, signed(sent, principal));
          return [403, 404].includes(status) ? [] : [`${principal.name}: ${status} ${text}`];
        }),
      );
    });
  }

  const refusedHead = async (entry: Entry, sent: Sent, { name, code }: Principal): Promise<string[]> => {
    const { status, text } = await services.send(entry.api, { ...sent, method: 'HEAD' });
    return status === statusOf(code) && text === '' ? [] : [`${name}: HEAD: ${status}`];
  };

  const missed = async (entry: Entry, sent: Sent): Promise<string[]> => {
    const { status, text } = await services.send(entry.api, sent);
    const isMissed = [400, 401, 403, 404, 405].includes(status);
    return isMissed ? [] : [`${sent.method} ${sent.path}: ${status} ${text}`];
  };

  /** Replaces callers that have just ended their own session. */
  async function replaceEnded(): Promise<void> {
    for (const one of users) {
      const { headers } = one.principal;
      const { status } = await services.send('Core', { method: 'GET', path: '/ping/auth', headers });
      if (status !== 200) one.principal = await one.create();
    }
  }
});

const EXTREMES = ['nobody', 'an administrator'];

function unlikeRefusal({ status, headers, body, text }: Received, { name, code }: Principal): string[] {
  const challenge = (headers['www-authenticate'] ?? '').slice(0, 6);
  const isRefused =
    status === statusOf(code) &&
    body['code'] === (code ?? 'forbidden') &&
    challenge === (status === 401 ? 'Bearer' : '');
  return isRefused ? [] : [`${name}: ${status} ${challenge} ${text}`];
}

/** The status of a refusal with this code; without a code, of a refusal because of the role. */
function statusOf(code: string | undefined): number {
  return code === undefined || code === 'cross_site' ? 403 : 401;
}

function signed(request: Sent, { headers, query = '' }: Principal): Sent {
  const mark = request.path.includes('?') ? '&' : '?';
  const path = query === '' ? request.path : `${request.path}${mark}${query}`;
  return { ...request, path, headers: { ...request.headers, ...headers } };
}

function methodsOf({ route }: Entry): string[] {
  return route.method === 'get' ? ['GET', 'HEAD'] : [route.method.toUpperCase()];
}
