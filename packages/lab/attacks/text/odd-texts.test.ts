import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { logIn, newAccount, readTables } from '@gatehouse/accounts/testing';
import * as fc from 'fast-check';
import { ALL_ROUTES, DOCUMENT_FILE, nameOf, ROOT } from '@gatehouse/codegen';
import { FORM, mediaTypeOf, type OpenApi, type Route } from '@gatehouse/http';
import { during } from '@gatehouse/runtime/testing';
import { createPrincipals, type Principal } from '../../../e2e/src/roles/users.ts';
import { requestFor } from '../../../e2e/src/requests/request-for.ts';
import type { Received } from '../../../e2e/src/requests/send.ts';
import { startServices, type Services } from '../../../e2e/src/requests/services.ts';
import { createFixtures } from '../../../e2e/src/requests/objects.ts';
import { ATTACK_ROUNDS, attackSeed } from '../attack-settings.ts';
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
  const seed = attackSeed();
  const free = { LOGIN_FAILURES_FREE: 1000, MAILS_PER_HOUR: 1000, MAILS_PER_ADDRESS: 100_000 };
  const services = during(() => startServices(free));
  let adminToken: string;
  let crowd: Crowd;
  before(async () => {
    adminToken = (await logIn(services.app, await newAccount(services.app, { role: 'Admin' }))).Token;
    crowd = await gather(services, adminToken);
  });

  const odd = fc.oneof({ weight: 3, arbitrary: hostileText() }, { weight: 1, arbitrary: hostileValue() });

  it(`without a 5xx, internals or a secret, and within five seconds (ATTACK_SEED=${seed})`, async () => {
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
        await fc.assert(property, { seed: seed + count, numRuns: ROUNDS, endOnFailure: false });
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

/** The callers: one of each role, each with a separate session. */
interface Crowd {
  principals: Principal[];
  /** Logs in users whose session has ended. */
  renew(): Promise<void>;
}

async function gather(services: Services, adminToken: string): Promise<Crowd> {
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

/** A valid request for every caller, about their own objects. */
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

/** An endpoint, and the statuses that its documentation lists. */
interface Declared {
  api: (typeof ALL_ROUTES)[number]['api'];
  route: Route<never>;
  name: string;
  statuses: ReadonlySet<number>;
}

/** Every endpoint of every service. */
function everyEndpoint(): Declared[] {
  const { paths } = JSON.parse(readFileSync(new URL(DOCUMENT_FILE, ROOT), 'utf8')) as OpenApi; // we generate it
  return ALL_ROUTES.map(({ api, route }) => {
    const name = nameOf(route);
    const { responses } = paths[name.slice(name.indexOf(' ') + 1)]?.[route.method] ?? assert.fail(name);
    return { api, route, name, statuses: new Set(Object.keys(responses).map(Number)) };
  });
}

/** Internal details that an attacker would like to find in a response. */
const INSIDES =
  /node_modules|\.ts:\d|\bat \w+ \(|\b(select|insert into|update|delete from)\s+"?\w+"?\s|knex|postgres|ioredis|amqp|ECONN|SyntaxError|TypeError|RangeError/i;

/** What is wrong with a response, for any request; its format is compared with the documents by openapi-answers.test.ts. */
function faultOf(
  { status, headers, text }: Received,
  { statuses, mayMissRoute }: Pick<Declared, 'statuses'> & { mayMissRoute: boolean },
): string | undefined {
  if (status >= 500) return `a ${status}`;
  // A malformed URL is refused before the request is routed.
  const isKnown = statuses.has(status) || (mayMissRoute && [400, 404, 405, 431].includes(status));
  if (!isKnown) return `the status ${status}, which is not declared`;
  if (headers['x-content-type-options'] !== 'nosniff') return 'no nosniff';
  if (headers['x-powered-by'] !== undefined || headers['server'] !== undefined)
    return 'it tells what it is made of';
  return status >= 400 && INSIDES.test(text) ? `our insides: ${INSIDES.exec(text)?.[0]}` : undefined;
}

async function faultOfOdd(
  services: Services,
  { api, name, statuses }: Declared,
  { place, request, json }: { place: OddPlace; request: RightRequest; json: string },
): Promise<string | undefined> {
  const startedAt = performance.now();
  const answer = await services.send(api, request);
  const { text } = answer;
  const ms = performance.now() - startedAt;
  const fault =
    faultOf(answer, { statuses, mayMissRoute: place.part !== 'body' }) ??
    (ms > ANSWER_MS ? `an answer after ${ms} ms` : undefined) ??
    (isRepeated(place, json, text) ? 'a secret in the answer' : undefined);
  return fault && `${name} ${place.part} ${place.keys.join('/')}: ${fault}: ${text.slice(0, 200)}`;
}

/** Short text, or a word that we use ourselves, may be in a response by chance. */
function isRepeated({ keys }: OddPlace, json: string, answer: string): boolean {
  return SECRET.test(String(keys.at(-1))) && json.length > 20 && answer.includes(json.slice(1, -1));
}
