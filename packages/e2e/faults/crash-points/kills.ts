import { setTimeout as pause } from 'node:timers/promises';
import type { Protocol } from '../frames.ts';
import type { Operation, Try } from './operation.ts';
import type { Step } from './steps.ts';
import type { Point, Trap } from './trap.ts';
import { ask, type Answer, type Victim, type World } from './world.ts';

/** When a service is killed: at a point on its way to the servers, or as its answer arrives. */
export interface Kill {
  point: Point | undefined;
  text: string;
}

const AT_ANSWER: Kill = { point: undefined, text: 'as the answer arrives' };

/** What a service does beside requests; it may come between any two steps and is none of a request's own. */
const BESIDE =
  /^select .* from live_session_outbox|^delete from live_session_outbox|person_purge|^(update|delete from) reset_request |^(update|delete from) outbox |\(select id from outbox |^select 1$/;

/** Picks the steps of requests; of those alone that are known, where it is known what a request does. */
function requestSteps(known?: ReadonlySet<string>): (step: Step) => boolean {
  /** Connections with a transaction in which a step of the request's was seen. */
  const own = new Set<number>();
  return ({ protocol, connection, text }) => {
    if (protocol !== 'postgres') return protocol === 'redis';
    if (text.startsWith('BEGIN')) {
      own.delete(connection);
      // Whose it is, its first statement tells; and before that one is where a BEGIN is.
      return false;
    }
    // What ends a transaction belongs to whoever had it.
    if (/^(COMMIT|ROLLBACK)/.test(text)) return own.has(connection);
    const isOwn = !BESIDE.test(text) && known?.has(text) !== false;
    if (isOwn) own.add(connection);
    return isOwn;
  };
}

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
  const startVictim = () => world.startVictim(operation.service, { hasBroker: false });
  let victim = await startVictim();
  try {
    const steps = await learnSteps(world, operation, victim);
    const { many, last } = killsAmong(steps, isWhole);
    const tries = await inTurns([...many, ...last], async (kill) => {
      return { kill, attempt: await operation.prepare(world) };
    });
    const waiting = tries.slice(0, many.length);
    const ends = tries.slice(many.length);
    const known = new Set(steps.map(({ text }) => text));
    const later: Later[] = [];
    for (let deaths = 0; waiting.length > 0 || ends.length > 0; deaths += 1) {
      if (deaths > 0) victim = await startVictim();
      const share = Math.ceil(waiting.length / Math.max(1, ends.length));
      const begun = await stopMany(victim, { waiting, share, ends, known });
      await end(victim);
      later.push(...(await inTurns(begun, (one) => checkEnd(operation, one))));
    }
    return { kills: tries.length, later };
  } finally {
    await end(victim);
  }
}

/** What a victim does for a request that is left in peace. */
async function learnSteps(world: World, operation: Operation, victim: Victim): Promise<Step[]> {
  const { path, check, ...given } = await operation.prepare(world);
  const trap = victim.trapper.set(requestSteps());
  const answer = await ask(victim, path, given);
  if (answer?.status !== 200) throw new Error(`${operation.name}: ${JSON.stringify(answer)}`);
  const steps = [...trap.done];
  await check({ answer, isCommitted: isCommitted(steps) });
  return steps;
}

/** Every operation has one transaction at most. */
function isCommitted(steps: readonly Step[]): boolean {
  return steps.some(({ text }) => text.startsWith('COMMIT'));
}

/** `last`: those after which a victim must die at once, as it would go another way after 0.4 s, or has answered. */
function killsAmong(steps: readonly Step[], isWhole: boolean): Record<'many' | 'last', Kill[]> {
  // Apart, as what Redis is asked may differ from time to time, and a victim that waits for Redis soon goes on.
  const killsAt = (protocol: Protocol): Kill[] =>
    steps
      .filter((step) => step.protocol === protocol)
      .flatMap(({ text }, index) =>
        (['before', 'after'] as const).map((side) => ({
          point: { step: index + 1, side, protocol },
          text: `${side} ${protocol}'s step ${index + 1}, ${text.slice(0, 60)}`,
        })),
      );
  // Behind one step is before the next, as far as servers can tell; both are tried where something is committed.
  const inPostgres = killsAt('postgres');
  const isTelling = (kill: Kill): boolean =>
    isWhole || kill.point?.side === 'before' || kill.text.includes(', COMMIT') || kill === inPostgres.at(-1);
  return {
    many: inPostgres.filter(isTelling),
    last: [AT_ANSWER, ...(isWhole ? killsAt('redis').filter(({ point }) => point?.side === 'before') : [])],
  };
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
  const passedMs = (): number => (since === undefined ? 0 : Date.now() - since);
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
    since ??= Date.now();
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

async function checkEnd(operation: Operation, { kill, attempt, trap, answering }: Begun): Promise<Later> {
  const done = [...trap.done];
  const about = (error: unknown) =>
    new Error(
      `${operation.name}, killed ${kill.text}; done: ${done.map(({ text }) => text.slice(0, 40)).join(' | ')}`,
      { cause: error },
    );
  try {
    const answer = await answering;
    const later = await attempt.check({ answer, isCommitted: isCommitted(done) });
    return async () => {
      await later?.().catch((error: unknown) => Promise.reject(about(error)));
    };
  } catch (error) {
    throw about(error);
  }
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
