import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Protocol } from '@gatehouse/runtime/testing';
import type { Operation, Try } from './operations.ts';
import { isCommitted, learnSteps, requestSteps, statementsOf } from './request-steps.ts';
import type { Step } from './steps.ts';
import type { Point, Trap } from './trap.ts';
import type { Outcome } from '../../one-call.ts';
import { ask, type Victim, type World } from './world.ts';

/** When a service is killed: at a point of its communication with the servers, or when its response arrives. */
export interface Kill {
  point: Point | undefined;
  text: string;
  /**
   * The victim must be killed at once, because it would continue without Redis after 0.4 s, has already responded, or
   * holds a lock that all others wait for.
   */
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

/** A try that a victim has begun. */
interface Begun {
  kill: Kill;
  attempt: Try;
  trap: Trap;
  answering: Promise<Outcome | undefined>;
}

/** Checks that must succeed once the mails are sent. */
export type Later = () => Promise<void>;

/** A victim that has waited this long for a server is still waiting: it gives up a statement after 2.5 s. */
const WAITING_MS_MAX = 2000;
/** Until then another try may begin. */
const BEGIN_MS_MAX = 1200;
/** How many additional victims may die without having reached all their points. */
const MISSES_MAX = 10;
/** The number of tries that are prepared, or checked, at the same time. */
const AT_ONCE = 8;

/**
 * Kills services at every step of an operation that reaches Postgres, and when its response arrives. With `isWhole`,
 * before and after each of these steps, and before every step that reaches Redis. Returns checks that must succeed
 * once the mails are sent.
 */
export async function killAtEveryStep(world: World, operation: Operation, { isWhole }: { isWhole: boolean }) {
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
    const waiting = await inTurns(many, prepare);
    const ends = await inTurns(last, prepare);
    const later: Later[] = [];
    for (let deaths = 0; waiting.length > 0 || ends.length > 0; deaths += 1) {
      const [next] = [...waiting, ...ends];
      if (deaths > last.length + MISSES_MAX)
        throw new Error(`${operation.name}, ${next?.kill.text}: never reached`);
      if (deaths > 0) victim = await startVictim();
      const share = Math.ceil(waiting.length / Math.max(1, ends.length));
      const begun = await stopMany(victim, { waiting, share, ends, known });
      await victim.close();
      const ended = await inTurns(begun, async (one) => ({ one, answer: await one.answering }));
      const [reached, missed] = divide(ended, ({ one, answer }) => isReached(one, answer, steps));
      later.push(...(await inTurns(reached, ({ one, answer }) => checkEnd(operation, one, answer))));
      // The machine was too slow. A kill at another moment says nothing about this point, so it is tried again.
      const again = await inTurns(missed, ({ one }) => prepare(one.kill));
      for (const one of again) (one.kill.isLast ? ends : waiting).push(one);
    }
    return { kills: many.length + last.length, later };
  } finally {
    await victim.close();
  }
}

/**
 * Starts a victim that only handles requests. Its periodic jobs are held back, because their steps would be mistaken
 * for those of a request.
 */
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

/**
 * Stops up to `share` tries one after the other, each at its own point, and then one of `ends`. The caller must then
 * kill the victim before the first try gives up waiting.
 */
async function stopMany(
  victim: Victim,
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
    const { path, check: _, ...given } = prepared.attempt;
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
    const later = await attempt.check({ answer, isCommitted: isCommitted(done) });
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

async function inTurns<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>) {
  const results: Result[] = [];
  const rest = items.entries();
  const turn = async (): Promise<void> => {
    for (const [index, item] of rest) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, turn));
  return results;
}
