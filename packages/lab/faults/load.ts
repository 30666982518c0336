import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { tokensIn, type Outcome, type Tokens } from '../one-call.ts';
import { holds, pingOne, refreshOne, registerOne, repeated, type Scene } from '../users.ts';
import { clientOf, type FaultWorld } from './fault-world.ts';

/** Users with sessions who are active during every fault of a world. */
export type Fixtures = Awaited<ReturnType<typeof loadFixtures>>;

export async function loadFixtures(world: FaultWorld) {
  const client = clientOf(world);
  const emails = await Promise.all(Array.from({ length: 6 }, () => client.newAccount()));
  const logins = await Promise.all(emails.map((email) => client.login(email)));
  const [refreshing, ...pinging] = logins.slice(0, 4).map(tokensIn);
  const [, , , , cycling = '', replacing = ''] = emails;
  return {
    /** Tokens that are only used for pings. */
    pinging: pinging.map(({ Token }) => Token),
    refreshing: { refreshToken: refreshing?.RefreshToken ?? '' },
    /** The emails of users: one logs in and out repeatedly, one logs in while having a session. */
    cycling,
    replacing,
    /** Tokens whose session was ended with a 2xx: they must not work any more. */
    revoked: [] as Tokens[],
    acknowledged: [] as string[],
  };
}

export interface Seen {
  outcomes: Outcome[];
  breaches: string[];
  /** How many milliseconds each `GET /ping` took longer than the response of a bare server. */
  pings: number[];
  /** The slowest of these pings according to Core's log. */
  slowestInside: number;
}

/** The load is light, so that a small machine shows the effects of faults and not its own limits. */
export function startLoad(world: FaultWorld, fixtures: Fixtures): { stop(): Promise<Seen> } {
  const seen: Seen = { outcomes: [], breaches: [], pings: [], slowestInside: 0 };
  const calls = clientOf(world, (outcome) => {
    seen.outcomes.push(outcome);
    if (outcome.status === 503 && !outcome.hasRetryAfter)
      seen.breaches.push(`${outcome.name}: no Retry-After`);
  });
  const scene: FaultScene = { ...fixtures, calls, say: (breach) => seen.breaches.push(breach) };
  const log = join(world.directory, 'logs', 'core.log');
  const logStart = statSync(log).size;
  const { core } = world.stack.facts.urls;
  const load = repeated([
    [20, async () => void seen.pings.push(await world.baseline.excessOf(core))],
    [100, () => registerOne(scene)],
    [100, () => refreshOne(scene)],
    [100, () => cycleOne(scene)],
    [150, () => replaceOne(scene)],
    [100, () => tryRevoked(scene)],
    ...fixtures.pinging.map((token): [number, () => Promise<void>] => [100, () => pingOne(scene, token)]),
  ]);
  return {
    stop: async () => {
      await load.stop();
      seen.slowestInside = slowestPing(readFileSync(log).subarray(logStart).toString());
      return seen;
    },
  };
}

type FaultScene = Scene & Fixtures;

/** Ends a session. After the response, neither of its tokens may work. */
async function cycleOne(scene: FaultScene): Promise<void> {
  const { calls, cycling, revoked } = scene;
  const opened = await calls.login(cycling);
  if (!holds(scene, 'login', opened)) return;
  const tokens = tokensIn(opened);
  if (holds(scene, 'logout', await calls.logout(tokens.Token))) revoked.push(tokens);
}

async function replaceOne(scene: FaultScene): Promise<void> {
  const { calls, replacing, revoked } = scene;
  const [earlier, later] = [await calls.login(replacing), await calls.login(replacing)];
  if (earlier.status !== 200 || later.status !== 200) return;
  const tokens = tokensIn(earlier);
  const outcome = await calls.ping(tokens.Token, 'ping after a later login');
  const isReplaced = outcome.status === 200 && outcome.body['PingStatus'] === 4;
  if (holds(scene, "a replaced session's ping", outcome, isReplaced)) revoked.push(tokens);
}

async function tryRevoked(scene: FaultScene): Promise<void> {
  const { calls, revoked } = scene;
  const one = revoked[Math.floor(Math.random() * revoked.length)];
  if (one === undefined) return;
  for (const outcome of [
    await calls.check(one.Token),
    await calls.profile(one.Token),
    await calls.refresh(one.RefreshToken),
  ])
    holds(scene, `${outcome.name} with an ended session`, outcome, outcome.status === 401);
}

function slowestPing(lines: string): number {
  const times = lines.matchAll(/"route":"\/ping","status":200,"ms":([\d.]+)/g);
  return Math.max(0, ...[...times].map(([, ms]) => Number(ms)));
}
