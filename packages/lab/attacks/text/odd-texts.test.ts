import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { logIn, newAccount, readTables } from '@gatehouse/accounts/testing';
import * as fc from 'fast-check';
import { ALL_ROUTES, DOCUMENT_FILE, nameOf, ROOT } from '@gatehouse/codegen';
import { FORM, mediaTypeOf, type OpenApi, type Route } from '@gatehouse/http';
import { during } from '@gatehouse/runtime/testing';
import { createPrincipals, type Principal } from '../../../e2e/src/roles/users.ts';
import { requestFor } from '../../../e2e/src/requests/request-for.ts';
import { startServices, type Services } from '../../../e2e/src/requests/services.ts';
import { createFixtures } from '../../../e2e/src/requests/objects.ts';
import { ATTACK_ROUNDS, ATTACK_SEED } from '../attack-settings.ts';
import { hostileText, hostileValue, written } from './hostile-values.ts';
import { oddPlaces, withOdd, type OddPlace, type RightRequest } from './odd-places.ts';

const ANSWER_MS = 5000;
/** Values for each of some thousand places. */
const ROUNDS = Math.ceil(ATTACK_ROUNDS / 20);

/** Fields whose content no response may repeat. */
const SECRET = /password|code|token/i;

/** Sends unusual text, and other values, in every place of every request, as every kind of caller. */
describe('unusual text is answered', function () {
  this.timeout(300_000);
  const free = { LOGIN_FAILURES_FREE: 1000, MAILS_PER_HOUR: 1000, MAILS_PER_ADDRESS: 100_000 };
  const services = during(() => startServices(free));
  let adminToken: string;
  let crowd: Awaited<ReturnType<typeof gather>>;
  before(async () => {
    adminToken = (await logIn(services.app, await newAccount(services.app, { role: 'Admin' }))).Token;
    crowd = await gather(services, adminToken);
  });

  const odd = fc.oneof({ weight: 3, arbitrary: hostileText() }, { weight: 1, arbitrary: hostileValue() });

  it(`without a 5xx, internals or a secret, and within five seconds (ATTACK_SEED=${ATTACK_SEED})`, async () => {
    let count = 0;
    for (const declared of everyEndpoint()) {
      const { route } = declared;
      let requests: Requests | undefined;
      for (const place of oddPlaces(route)) {
        // A request that changes something may have used up its object, or ended the caller's session.
        if (requests === undefined || route.method !== 'get') {
          await crowd.renew();
          requests = await rightRequests(route, services, adminToken, crowd.principals);
        }
        const anyRequest = fc.constantFrom(...requests);
        const property = fc.asyncProperty(anyRequest, odd, async ({ principal, right }, value) => {
          const json = written(value);
          const request = withOdd(route, right, place, json);
          const fault = await faultOfOdd(services, declared, { place, request, json });
          assert.equal(fault, undefined, `as ${principal.name}`);
        });
        // Other values in each place.
        count += 1;
        await fc.assert(property, { seed: ATTACK_SEED + count, numRuns: ROUNDS, endOnFailure: false });
      }
    }
  });

  it('without an unexpected error in the logs', () => {
    const errors = services.lines().filter(({ level }) => level === 'error');
    assert.deepEqual(errors.slice(0, 5), []);
  });

  it('and is not stored with replacement characters', async () => {
    const rows = Object.values(await readTables(services.app)).flat();
    const replaced = rows.filter((row) => row.includes('\ufffd'));
    assert.deepEqual(replaced, []);
  });
});

async function gather(services: Services, adminToken: string) {
  const { users, tokens } = createPrincipals(services, adminToken);
  const nobody: Principal = { name: 'nobody', as: 'Nobody', headers: {} };
  const creators = users.slice(0, 3).map(({ create }) => create);
  const principals = [
    ...(await Promise.all(creators.map((create) => create()))),
    ...(await tokens()),
    nobody,
  ];
  const renew = async (): Promise<void> => {
    for (const [at, create] of creators.entries()) {
      const headers = principals[at]?.headers ?? {};
      const { status } = await services.send('Core', { method: 'GET', path: '/ping/auth', headers });
      if (status !== 200) principals.splice(at, 1, await create());
    }
  };
  return { principals, renew };
}

type Requests = Awaited<ReturnType<typeof rightRequests>>;

async function rightRequests(
  route: Route<never>,
  services: Services,
  adminToken: string,
  principals: readonly Principal[],
) {
  const fixtures = createFixtures(services, adminToken);
  const made = principals.map(async (principal) => {
    const sent = await requestFor(route, fixtures.of(principal.owner));
    // A line of NDJSON is an object too. A form only contains a token, so it has no place for other text.
    const isLine = typeof sent.body === 'string' && mediaTypeOf(route.body) !== FORM;
    const body = isLine ? (JSON.parse(String(sent.body)) as unknown) : sent.body;
    return { principal, right: { ...sent, body, headers: { ...sent.headers, ...principal.headers } } };
  });
  const [first, ...others] = await Promise.all(made);
  assert.ok(first);
  return [first, ...others] as const;
}

type Declared = ReturnType<typeof everyEndpoint>[number];

function everyEndpoint() {
  const { paths } = JSON.parse(readFileSync(new URL(DOCUMENT_FILE, ROOT), 'utf8')) as OpenApi; // we generate it
  return ALL_ROUTES.map(({ api, route }) => {
    const name = nameOf(route);
    const { responses } = paths[name.slice(name.indexOf(' ') + 1)]?.[route.method] ?? assert.fail(name);
    return { api, route, name, statuses: new Set(Object.keys(responses).map(Number)) };
  });
}

const INSIDES =
  /node_modules|\.ts:\d|\bat \w+ \(|\b(select|insert into|update|delete from)\s+"?\w+"?\s|knex|postgres|ioredis|amqp|ECONN|SyntaxError|TypeError|RangeError/i;

/** What is wrong with a response; its format is compared with the documents by openapi-answers.test.ts. */
async function faultOfOdd(
  services: Services,
  { api, name, statuses }: Declared,
  { place, request, json }: { place: OddPlace; request: RightRequest; json: string },
): Promise<string | undefined> {
  const startedAt = performance.now();
  const { status, headers, text } = await services.send(api, request);
  const ms = performance.now() - startedAt;
  const told = status >= 400 && INSIDES.exec(text)?.[0];
  // A malformed URL is refused before the request is routed.
  const mayMissRoute = place.part !== 'body' && [400, 404, 405, 431].includes(status);
  const fault = [
    status >= 500 && `a ${status}`,
    !statuses.has(status) && !mayMissRoute && `the status ${status}, which is not declared`,
    headers['x-content-type-options'] !== 'nosniff' && 'no nosniff',
    (headers['x-powered-by'] ?? headers['server']) !== undefined && 'it tells what it is made of',
    told && `our insides: ${told}`,
    ms > ANSWER_MS && `an answer after ${ms} ms`,
    isRepeated(place, json, text) && 'a secret in the answer',
  ].find((one): one is string => typeof one === 'string' && one !== '');
  return fault && `${name} ${place.part} ${place.keys.join('/')}: ${fault}: ${text.slice(0, 200)}`;
}

/** Short text, or a word that we use ourselves, may be in a response by chance. */
function isRepeated({ keys }: OddPlace, json: string, answer: string): boolean {
  return SECRET.test(String(keys.at(-1))) && json.length > 20 && answer.includes(json.slice(1, -1));
}
