import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import * as fc from 'fast-check';
import { ATTACK_ROUNDS, attackSeed } from '../attack-settings.ts';
import { everyEndpoint, faultOf, type Declared } from '../answers.ts';
import { newGuest } from '../guests.ts';
import { hostileRequests } from './hostile-requests.ts';
import type { Known } from './from-schema.ts';
import { PASSWORD } from '../../src/testing/index.ts';
import type { Target } from '../target.ts';

const SIDE_BY_SIDE = 4;

/** Sends everything that can be sent to every endpoint. */
export function hostileInputHarmsNothing(given: () => Target): void {
  const seed = attackSeed();
  let target: Target;
  let known: Known;
  let callers: Callers;
  /** The position up to which each log was read. */
  let earlier: Map<string, number>;
  before(async () => {
    target = given();
    earlier = new Map([...target.logs()].map(([file, text]) => [file, text.length]));
    callers = await findCallers(target);
    known = await findKnown(target, callers);
  });

  it(`causes no 5xx and no delay, and is answered in the documented format (ATTACK_SEED=${seed})`, async () => {
    const waiting = everyEndpoint();
    assert.ok(waiting.length > 60, `${waiting.length} endpoints`);
    const pids = { ...target.stack.facts.pids };
    const work = async (): Promise<void> => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        await attack(target, next, { known, callers, seed });
      }
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
    assert.deepEqual(target.stack.facts.pids, pids, 'nothing died');
  });

  it('leaves only JSON lines in the logs, and no unexpected error', () => {
    for (const [file, text] of target.logs()) {
      if (!/(core|portal|admin|mail-worker)\.log$/.test(file)) continue;
      for (const line of text.slice(earlier.get(file)).trimEnd().split('\n')) {
        const { level, message } = JSON.parse(line) as { level: string; message: string };
        assert.notEqual(level, 'error', `${file}: ${message} ${line}`);
      }
    }
  });

  it('is not stored with replacement characters', async () => {
    const tables = await query<{ name: string }>(
      target.db,
      `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    );
    for (const { name } of tables) {
      const found = await query(target.db, `select t::text from "${name}" t where t::text like ?`, [
        '%\ufffd%',
      ]);
      assert.deepEqual(found, [], name);
    }
  });
}

/** Bearer tokens by kind of caller. `renew` opens new sessions for those that an attack has ended. */
interface Callers {
  tokenOf(who: Who): string | undefined;
  renew(): Promise<void>;
}

const WHO = ['nobody', 'user', 'guest', 'service', 'admin'] as const;
type Who = (typeof WHO)[number];

async function attack(
  target: Target,
  { service, route, name, statuses }: Declared,
  { known, callers, seed }: { known: Known; callers: Callers; seed: number },
): Promise<void> {
  await callers.renew();
  const who = fc.constantFrom<Who>(...WHO, 'admin', 'admin', 'user', 'service');
  const property = fc.asyncProperty(hostileRequests(route, known), who, async (request, caller) => {
    const answer = await target.to(service, { ...request, token: callers.tokenOf(caller) });
    const fault = faultOf(answer, { statuses, mayMissRoute: request.mayMissRoute });
    assert.equal(fault, undefined, `${name} as ${caller}: ${fault}: ${answer.text.slice(0, 300)}`);
  });
  await fc.assert(property, { seed, numRuns: ATTACK_ROUNDS, endOnFailure: false });
}

async function findCallers(target: Target): Promise<Callers> {
  const make = {
    user: async () => (await target.newPerson()).email,
    guest: () => newGuest(target),
  };
  const emails = { user: await make.user(), guest: await make.guest() };
  const tokens: Record<Who, string | undefined> = {
    nobody: undefined,
    user: undefined,
    guest: undefined,
    service: (await target.newToken('Service')).Token,
    admin: target.adminToken,
  };
  const isAlive = async (token: string | undefined): Promise<boolean> => {
    const answer = await target.to('core', { method: 'GET', path: '/ping/auth', token });
    return answer.status === 200;
  };
  const renew = async (): Promise<void> => {
    for (const who of ['user', 'guest'] as const) {
      if (await isAlive(tokens[who])) continue;
      // An attack may have changed the password or enabled two-factor authentication.
      const login = await target.logIn(emails[who]).catch(() => undefined);
      if (login === undefined) emails[who] = await make[who]();
      tokens[who] = (login ?? (await target.logIn(emails[who]))).Token;
    }
  };
  return { tokenOf: (who) => tokens[who], renew: createTurns(renew) };
}

/** Callers that call it while the work is running wait for the same run. */
function createTurns(work: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | undefined;
  return () =>
    (current ??= work().finally(() => {
      current = undefined;
    }));
}

/** Accounts, content, persons, faces and sessions that the attacks may change. */
async function findKnown(target: Target, callers: Callers): Promise<Known> {
  const accounts = [await target.newPerson(), await target.newPerson()];
  const pending = target.someEmail();
  await target.posts('core', '/account/register', { Email: pending, Password: PASSWORD });
  const { RefreshToken } = await target.logIn(accounts[0]?.email ?? '');
  const sessions = await target.to('admin', {
    method: 'GET',
    path: `/admin/user-session?userId=${accounts[0]?.id}`,
    token: target.adminToken,
  });
  const [session] = sessions.json['Items'] as { Id: string }[];
  const contents = [
    await target.newContent(accounts[0]?.id ?? ''),
    await target.newContent(accounts[1]?.id ?? ''),
  ];
  const person = await target.posts('core', '/person', { Name: 'Known' }, target.adminToken);
  const personId = String(person.json['Id']);
  const report = { SourceId: 'camera 1', Similarity: 0.95, Sharpness: 0.9 };
  const face = await target.posts('core', `/person/${personId}/face`, report, target.adminToken);
  const ids = [...accounts.map(({ id }) => id), session?.Id, ...contents, personId, face.json['Id']];
  await callers.renew();
  return {
    emails: [
      ...accounts.map(({ email }) => email),
      pending,
      'nobody@example.com',
      'someone.else@example.org',
    ],
    ids: ids.map(String),
    passwords: [PASSWORD, 'wrong password', 'another good one', 'short'],
    tokens: [RefreshToken, target.adminToken, 'AAAA-AAAA', '000000', 'A'.repeat(43)],
  };
}
