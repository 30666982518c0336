import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Protocol } from '../proxy/frames.ts';
import type { Operation, Try } from './operations/operation.ts';
import { isCommitted, learnSteps, requestSteps, statementsOf } from './request-steps.ts';
import type { Step } from './steps.ts';
import type { Point, Trap } from './trap.ts';
import { ask, type Answer, type Victim, type World } from './world.ts';

/** When a service is killed: at a point on its way to the servers, or as its answer arrives. */
export interface Kill {
  point: Point | undefined;
  text: string;
  /**
   * A victim must die of it at once: it would go another way after 0.4 s, has answered, or has everybody wait who would
   * take the same lock.
   */
  isLast: boolean;
}

/** Of the rights of administrators: one transaction at a time has it. */
const LOCK_OF_ALL = /^select pg_advisory_xact_lock\(/;

const AT_ANSWER: Kill = { point: undefined, text: 'as the answer arrives', isLast: true };

/** How the jobs of a service begin that come every few seconds. */
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

/** Those that go on, as `JOBS.sessions` does, with what requests of the service do as well. */
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
  answering: Promise<Answer | undefined>;
}

/** What must hold once the mails are out. */
export type Later = () => Promise<void>;

/** A victim that has waited so long for a server still waits: it gives a statement up after 2.5 s. */
const WAITING_MS_MAX = 2000;
/** As long, another try may begin. */
const BEGIN_MS_MAX = 1200;
/** So many victims more than there are ends may die without having reached all their points. */
const MISSES_MAX = 10;
/** Tries that are made ready, and checked, at once. */
const AT_ONCE = 8;

/**
 * Kills services at every step of an operation that reaches Postgres, as its answer arrives, and, where `isWhole`,
 * at every step that reaches Redis, on both sides of each. Returns what must hold once the mails are out.
 */
export async function killAtEveryStep(
  world: World,
  operation: Operation,
  { isWhole }: { isWhole: boolean },
): Promise<{ kills: number; later: Later[] }> {
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
      await end(victim);
      const ended = await inTurns(begun, async (one) => ({ one, answer: await one.answering }));
      const [reached, missed] = divide(ended, ({ one, answer }) => isReached(one, answer));
      later.push(...(await inTurns(reached, ({ one, answer }) => checkEnd(operation, steps, one, answer))));
      // Where the machine stood still: a kill elsewhere says nothing about its point.
      const again = await inTurns(missed, ({ one }) => prepare(one.kill));
      for (const one of again) (one.kill.isLast ? ends : waiting).push(one);
    }
    return { kills: many.length + last.length, later };
  } finally {
    await end(victim);
  }
}

/** A victim that does what it is asked to, and nothing of its own accord: that would be taken for a request's steps. */
async function startQuietVictim(world: World, service: Operation['service']): Promise<Victim> {
  const victim = await world.startVictim(service, { hasBroker: false });
  await victim.trapper.holdJobs(Object.values(JOBS), [JOBS.sessions, ...MAIL_REQUEST_JOBS[service]]);
  return victim;
}

function killsAmong(steps: readonly Step[], isWhole: boolean): Record<'many' | 'last', Kill[]> {
  // Apart, as what Redis is asked may differ from time to time, and a victim that waits for Redis soon goes on.
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
  // After one step is the same as before the next, to the servers; both are tried where something is committed.
  const inPostgres = killsAt('postgres');
  const isTelling = (kill: Kill): boolean =>
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
 * Stops so many tries one after the other, each at its own point, and one of the ends; the victim is to be killed
 * with all of them then, before the first gives up waiting.
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

async function end(victim: Victim): Promise<void> {
  await victim.kill();
  await victim.close();
}

/**
 * Whether a victim died where it was to. It did not where time was up before, or where it died so late that it had given
 * up waiting; what it asks of Redis may differ from time to time.
 */
function isReached({ kill, trap }: Begun, answer: Answer | undefined): boolean {
  if (trap.isSprung) return answer?.status !== 503;
  return answer !== undefined && (kill.point === undefined || kill.point.protocol === 'redis');
}

async function checkEnd(
  operation: Operation,
  steps: readonly Step[],
  { kill, attempt, trap }: Begun,
  answer: Answer | undefined,
): Promise<Later> {
  const { done } = trap;
  const about = (error: unknown) =>
    new Error(
      `${operation.name}, killed ${kill.text}; done: ${done.map(({ text }) => text.slice(0, 40)).join(' | ')}`,
      { cause: error },
    );
  try {
    const { point } = kill;
    if (point?.protocol === 'postgres') {
      const passed = point.side === 'before' ? point.step - 1 : point.step;
      assert.deepEqual(statementsOf(done), statementsOf(steps).slice(0, passed), 'killed elsewhere');
    }
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

async function inTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const rest = items.entries();
  const turn = async (): Promise<void> => {
    for (const [index, item] of rest) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, turn));
  return results;
}
