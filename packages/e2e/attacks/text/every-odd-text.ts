import assert from 'node:assert/strict';
import { logIn, newAccount } from '@gatehouse/accounts/testing';
import type { Route } from '@gatehouse/http';
import { createPrincipals, type Principal } from '../../src/roles/users.ts';
import { requestFor } from '../../src/roles/requests.ts';
import { startServices, type Services } from '../../src/roles/services.ts';
import { createFixtures } from '../../src/roles/fixtures.ts';
import { everyEndpoint, faultOf, type Declared } from '../answers.ts';
import { attackSeed } from '../attack-settings.ts';
import { oddTexts } from './odd-texts.ts';
import { ODD_VALUES } from './odd-values.ts';
import { oddPlaces, withOdd, type OddPlace, type RightRequest } from './odd-places.ts';
import { shuffled } from '../shuffled.ts';

const SIDE_BY_SIDE = 8;
const ANSWER_MS = 5000;
const APIS = { core: 'Core', portal: 'Portal', admin: 'Admin' } as const;

/** Fields whose content no response may repeat. */
const SECRET = /password|code|token/i;

/**
 * Sends unusual text in every place of every request, as every kind of caller: all texts, or `sample` texts per place.
 */
export function everyOddTextIsAnswered(sample?: number): void {
  const seed = attackSeed();
  let services: Services;
  let adminToken: string;
  let crowd: Crowd;
  before(async () => {
    services = await startServices({
      LOGIN_FAILURES_FREE: 1000,
      MAILS_PER_HOUR: 1000,
      MAILS_PER_ADDRESS: 100_000,
    });
    adminToken = (await logIn(services.app, await newAccount(services.app, { role: 'Admin' }))).Token;
    crowd = await gather(services, adminToken);
  });
  after(() => services.stop());

  it(`without a 5xx, internals or a secret, and within five seconds (ATTACK_SEED=${seed})`, async () => {
    const odd = [...new Set(oddTexts())].map((text) => JSON.stringify(text)).concat(ODD_VALUES);
    const faults: string[] = [];
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
        const given = requests;
        const queue = shuffled(odd, seed + count).slice(0, sample);
        count += queue.length;
        const work = async (): Promise<void> => {
          for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
            const { principal, right } = given[queue.length % given.length] ?? given[0];
            const request = withOdd(route, right, place, next);
            const fault = await faultOfOdd(services, declared, { place, principal, request, json: next });
            if (fault !== undefined) faults.push(`${fault} ← ${next.slice(0, 100)} as ${principal.name}`);
          }
        };
        await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
      }
    }
    assert.deepEqual(faults.slice(0, 20), []);
    assert.ok(count > (sample === undefined ? 75_000 : 250 * sample), `${count} requests`);
  });

  it('without an unexpected error in the logs', () => {
    const errors = services.lines().filter(({ level }) => level === 'error');
    assert.deepEqual(errors.slice(0, 5), []);
  });
}

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
    const isLine = typeof sent.body === 'string' && !route.form;
    const body = isLine ? (JSON.parse(String(sent.body)) as unknown) : sent.body;
    return { principal, right: { ...sent, body, headers: { ...sent.headers, ...principal.headers } } };
  });
  const [first, ...others] = await Promise.all(made);
  assert.ok(first);
  return [first, ...others] as const;
}

async function faultOfOdd(
  services: Services,
  { service, name, statuses }: Declared,
  { place, request, json }: { place: OddPlace; principal: Principal; request: RightRequest; json: string },
): Promise<string | undefined> {
  const startedAt = performance.now();
  const { status, headers, text, body } = await services.send(APIS[service], request);
  const ms = performance.now() - startedAt;
  const answer = { status, headers, text, json: body, ms };
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
