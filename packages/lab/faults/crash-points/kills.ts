import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { during, type Protocol } from '@gatehouse/runtime/testing';
import { OPERATIONS, type Operation, type Try } from './operations.ts';
import type { Step } from './steps.ts';
import type { Point, Trap } from './trap.ts';
import { inTurns } from '../../in-turns.ts';
import type { Outcome } from '../../one-call.ts';
import { ask, startWorld, type Victim, type World } from './world.ts';

/** Kills services with `kill -9` between any two steps of what they do for a client. */
export function survivesKillsDuringRequests({ isWhole }: { isWhole: boolean }): void {
  const world = during(() => startWorld());

  for (const operation of OPERATIONS) {
    it(`leaves no partial state when killed during ${operation.name}`, async () => {
      const killed = await killAtEveryStep(world, operation, { isWhole });
      assert.ok(killed.kills > 2);
      // Before the codes in the mails expire.
      for (const check of killed.later) await check();
    });
  }

  it('mails committed events once', () => {
    const ids = world.sink.mails.map(({ messageId }) => messageId);
    assert.equal(ids.length, new Set(ids).size);
  });
}

/** When a service is killed: at a point of its communication with the servers, or when its response arrives. */
interface Kill {
  point: Point | undefined;
  text: string;
  /** It would go on without Redis after 0.4 s, has responded already, or holds a lock of all others. */
  isLast: boolean;
}

/** The lock for changes of administrators' rights, which one transaction at a time can hold. */
const LOCK_OF_ALL = /^select pg_advisory_xact_lock\(/;

const AT_ANSWER: Kill = { point: undefined, text: 'as the answer arrives', isLast: true };

/** The first statements of the periodic jobs of a service. */
const JOBS = {
  sessions: /^select .* from live_session_outbox /,
  resets: /^update reset_request set due_at /,
  invitations: /^update invitation_request set due_at /,
  purges: /^select .* from person_purge /,
  counts: /^select .*\(select id from (outbox|reset_request|invitation_request) /,
  handovers: /^delete from handover_code /,
  consoleCodes: /^delete from console_code /,
  identityLinks: /^delete from identity_link where expires_at /,
  erasures: /^select account_id .* from erasure where erases_at <= now\(\)/,
  access: /^select distinct account_id .* from content_access where expires_at <= /,
  statistics: /^insert into activity /,
  signIns: /^with owner as .* insert into sign_in /,
  lastSeen: /update user_session s set last_seen_at = greatest/,
  retention: /^select forget_/,
  lapsed: /^select .* from user_session where ended_at is null and \(expires_at <= now\(\)/,
};

/** Jobs that continue with statements that requests of the service also use, as `JOBS.sessions` does. */
const MAIL_REQUEST_JOBS: Record<Operation['service'], RegExp[]> = {
  core: [JOBS.resets],
  portal: [JOBS.invitations],
  admin: [],
};

interface Begun {
  kill: Kill;
  attempt: Try;
  trap: Trap;
  answering: Promise<Outcome | undefined>;
}

/** Checks that must succeed once the mails are sent. */
type Later = () => Promise<void>;

/** A victim that has waited this long for a server is still waiting: it gives up a statement after 2.5 s. */
const WAITING_MS_MAX = 2000;
/** Until then another try may begin. */
const BEGIN_MS_MAX = 1200;
/** How many additional victims may die without having reached all their points. */
const MISSES_MAX = 10;
const AT_ONCE = 8;

/**
 * Kills services at every step of an operation that reaches Postgres, and when its response arrives. With `isWhole`,
 * before and after each of these steps, and before every step that reaches Redis. Returns checks that must succeed
 * once the mails are sent.
 */
async function killAtEveryStep(world: World, operation: Operation, { isWhole }: { isWhole: boolean }) {
  const startVictim = () => startQuietVictim(world, operation.service);
  let victim = await startVictim();
  try {
    const steps = await learnSteps(world, operation, victim);
    const known = new Set(steps.map(({ text }) => text));
    const { many, last } = killsAmong(steps, isWhole);
    const prepare = async (kill: Kill): Promise<Prepared> => ({
      kill,
      attempt: await operation.prepare(world),
    });
    const waiting = await inTurns(many, AT_ONCE, prepare);
    const ends = await inTurns(last, AT_ONCE, prepare);
    const later: Later[] = [];
    for (let deaths = 0; waiting.length > 0 || ends.length > 0; deaths += 1) {
      const [next] = [...waiting, ...ends];
      if (deaths > last.length + MISSES_MAX)
        throw new Error(`${operation.name}, ${next?.kill.text}: never reached`);
      if (deaths > 0) victim = await startVictim();
      const share = Math.ceil(waiting.length / Math.max(1, ends.length));
      const begun = await stopMany(victim, operation.path, { waiting, share, ends, known });
      await victim.close();
      const ended = await inTurns(begun, AT_ONCE, async (one) => ({ one, answer: await one.answering }));
      const [reached, missed] = divide(ended, ({ one, answer }) => isReached(one, answer, steps));
      later.push(
        ...(await inTurns(reached, AT_ONCE, ({ one, answer }) => checkEnd(world, operation, one, answer))),
      );
      // The machine was too slow. A kill at another moment says nothing about this point, so it is tried again.
      const again = await inTurns(missed, AT_ONCE, ({ one }) => prepare(one.kill));
      for (const one of again) (one.kill.isLast ? ends : waiting).push(one);
    }
    return { kills: many.length + last.length, later };
  } finally {
    await victim.close();
  }
}

/** Holds back its periodic jobs, because their steps would be mistaken for those of a request. */
async function startQuietVictim(world: World, service: Operation['service']): Promise<Victim> {
  const victim = await world.startVictim(service, { hasBroker: false });
  await victim.trapper.holdJobs(Object.values(JOBS), [JOBS.sessions, ...MAIL_REQUEST_JOBS[service]]);
  return victim;
}

function killsAmong(steps: readonly Step[], isWhole: boolean): Record<'many' | 'last', Kill[]> {
  // Separately for each protocol: the commands to Redis may differ between tries, and a victim that waits for Redis
  // soon continues without it.
  const killsAt = (protocol: Protocol): Kill[] => {
    const own = steps.filter((step) => step.protocol === protocol);
    const lockedAt = own.findIndex(({ text }) => LOCK_OF_ALL.test(text));
    const committedAt = own.findIndex(({ text }) => text === 'COMMIT');
    return own.flatMap(({ text }, index) =>
      (['before', 'after'] as const).map((side) => {
        const passed = side === 'before' ? index - 1 : index;
        const isLocked = lockedAt >= 0 && passed >= lockedAt && passed < committedAt;
        return {
          point: { step: index + 1, side, protocol },
          text: `${side} ${protocol}'s step ${index + 1}, ${text.slice(0, 60)}`,
          isLast: protocol === 'redis' || isLocked,
        };
      }),
    );
  };
  // For the servers, after one step is the same as before the next. Both are tried at commits.
  const inPostgres = killsAt('postgres');
  const isTelling = (kill: Kill) =>
    isWhole ||
    (kill.point?.side === 'before' && !kill.isLast) ||
    kill.text.includes(', COMMIT') ||
    kill === inPostgres.at(-1);
  const [locked, many] = divide(inPostgres.filter(isTelling), ({ isLast }) => isLast);
  const inRedis = isWhole ? killsAt('redis').filter(({ point }) => point?.side === 'before') : [];
  return { many, last: [AT_ANSWER, ...locked, ...inRedis] };
}

type Prepared = Pick<Begun, 'kill' | 'attempt'>;

/** Stops up to `share` tries, each at its point, and one of `ends`. It must be killed before they give up. */
async function stopMany(
  victim: Victim,
  path: string,
  {
    waiting,
    share,
    ends,
    known,
  }: { waiting: Prepared[]; share: number; ends: Prepared[]; known: ReadonlySet<string> },
): Promise<Begun[]> {
  const begun: Begun[] = [];
  let since: number | undefined;
  const passedMs = (): number => (since === undefined ? 0 : performance.now() - since);
  const begin = async (prepared: Prepared | undefined): Promise<void> => {
    if (prepared === undefined) return;
    const { check: _, ...given } = prepared.attempt;
    const trap = victim.trapper.set(requestSteps(known), prepared.kill.point);
    const answering = ask(victim, path, given);
    begun.push({ ...prepared, trap, answering });
    const timer = new AbortController();
    const timeIsUp = pause(WAITING_MS_MAX - passedMs(), undefined, { signal: timer.signal }).catch(() => {});
    await Promise.race([answering, trap.sprung, ...(since === undefined ? [] : [timeIsUp])]);
    timer.abort();
    since ??= performance.now();
  };
  while (begun.length < share && waiting.length > 0 && passedMs() < BEGIN_MS_MAX)
    await begin(waiting.shift());
  if (passedMs() < BEGIN_MS_MAX) await begin(ends.shift());
  return begun;
}

/**
 * Whether a victim died at its point. It did not if the time was up before, if it died so late that it had already
 * given up waiting, or if it had read from Postgres what it usually finds in Redis, which a slow machine answers late. The
 * commands to Redis may differ between tries, so a response without reaching such a point is accepted.
 */
function isReached({ kill, trap }: Begun, answer: Outcome | undefined, steps: readonly Step[]): boolean {
  if (trap.isSprung) return answer?.status !== 503 && isOnTheWay(kill.point, trap.done, steps);
  return answer !== undefined && (kill.point === undefined || kill.point.protocol === 'redis');
}

/** Whether a request has done in Postgres what every request does before that point. */
function isOnTheWay(point: Point | undefined, done: readonly Step[], steps: readonly Step[]): boolean {
  if (point?.protocol !== 'postgres') return true;
  const passed = point.side === 'before' ? point.step - 1 : point.step;
  return isDeepStrictEqual(statementsOf(done), statementsOf(steps).slice(0, passed));
}

async function checkEnd(
  world: World,
  operation: Operation,
  { kill, attempt, trap: { done } }: Begun,
  answer: Outcome | undefined,
): Promise<Later> {
  const about = (error: unknown) =>
    new Error(
      `${operation.name}, killed ${kill.text}; done: ${done.map(({ text }) => text.slice(0, 40)).join(' | ')}`,
      { cause: error },
    );
  try {
    const { check, ...given } = attempt;
    const again = () => ask(world[operation.service], operation.path, given);
    const later = await check({ answer, isCommitted: isCommitted(done), again });
    return async () => {
      await later?.().catch((error: unknown) => Promise.reject(about(error)));
    };
  } catch (error) {
    throw about(error);
  }
}

function divide<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

const LEARN_MAX = 5;

/** A statement on each new connection, whichever request uses it first. */
const ON_CONNECTING = /^select left\(pg_walfile_name\(/;

/** Selects the steps of requests. If `known` is given, only those. */
function requestSteps(known?: ReadonlySet<string>): (step: Step) => boolean {
  /** Connections with a transaction in which a step of the request was seen. */
  const own = new Set<number>();
  return ({ protocol, connection, text }) => {
    if (protocol !== 'postgres') return protocol === 'redis';
    if (ON_CONNECTING.test(text)) return false;
    if (text.startsWith('BEGIN')) {
      own.delete(connection);
      // Only its first statement shows whose transaction it is. A BEGIN is not a separate step.
      return false;
    }
    // The end of a transaction belongs to the request that began it.
    if (/^(COMMIT|ROLLBACK)/.test(text)) return own.has(connection);
    const isOwn = known?.has(text) !== false;
    if (isOwn) own.add(connection);
    return isOwn;
  };
}

/** The steps of a request that is not interrupted. They are known when two runs in a row are the same. */
async function learnSteps(world: World, operation: Operation, victim: Victim): Promise<Step[]> {
  let earlier: string[] = [];
  for (let times = 1; ; times += 1) {
    const { check, ...given } = await operation.prepare(world);
    const trap = victim.trapper.set(requestSteps());
    const answer = await ask(victim, operation.path, given);
    if (answer === undefined || answer.status >= 300)
      throw new Error(`${operation.name}: ${JSON.stringify(answer)}`);
    const steps = [...trap.done];
    const again = () => ask(world[operation.service], operation.path, given);
    await check({ answer, isCommitted: isCommitted(steps), again });
    const statements = statementsOf(steps);
    if (isDeepStrictEqual(statements, earlier)) return steps;
    if (times === LEARN_MAX) assert.deepEqual(statements, earlier, `${operation.name}, done again`);
    earlier = statements;
  }
}

function statementsOf(steps: readonly Step[]): string[] {
  return steps.filter(({ protocol }) => protocol === 'postgres').map(({ text }) => text);
}

/** Every operation has at most one transaction. */
export function isCommitted(steps: readonly Step[]): boolean {
  return steps.some(({ text }) => text.startsWith('COMMIT'));
}
