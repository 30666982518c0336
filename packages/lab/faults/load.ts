import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { TokenSet } from '../../e2e/src/testing/index.ts';
import { isExcused, tell, type Outcome } from '../one-call.ts';
import { pingOne, refreshOne, registerOne, repeated, type Scene } from '../users.ts';
import type { FaultWorld } from './fault-world.ts';
import { clientOf } from './client.ts';

/** Users with sessions who are active during every fault of a world. */
export interface Fixtures extends Pick<Scene, 'refreshing' | 'acknowledged'> {
  /** Tokens that are only used for pings. */
  pinging: string[];
  /** The email of the user who logs in and out repeatedly. */
  cycling: string;
  /** The email of the user who logs in while having a session. */
  replacing: string;
  /** Tokens whose session was ended with a 2xx: they must not work any more. */
  revoked: Tokens[];
}

type Tokens = Pick<TokenSet, 'Token' | 'RefreshToken'>;

function tokensIn({ body }: Outcome): Tokens {
  return body as unknown as Tokens; // that of a login
}

export async function loadFixtures(world: FaultWorld): Promise<Fixtures> {
  const client = clientOf(world);
  const emails = await Promise.all(Array.from({ length: 6 }, () => client.newAccount()));
  const logins = await Promise.all(emails.map((email) => client.login(email)));
  const [refreshing, ...pinging] = logins.slice(0, 4).map(tokensIn);
  const [, , , , cycling = '', replacing = ''] = emails;
  return {
    pinging: pinging.map(({ Token }) => Token),
    refreshing: { refreshToken: refreshing?.RefreshToken ?? '' },
    cycling,
    replacing,
    revoked: [],
    acknowledged: [],
  };
}

/** The results of a load. */
export interface Seen {
  outcomes: Outcome[];
  /** Descriptions of broken promises. */
  breaches: string[];
  /** How many milliseconds each `GET /ping` took longer than the response of a bare server. */
  pings: number[];
  /** The slowest of these pings according to Core's log. */
  slowestInside: number;
}

/**
 * Sends requests of users until it is stopped. The load is light, so that a small machine shows the effects of faults
 * and not its own limits.
 */
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
async function cycleOne({ calls, cycling, revoked, say }: FaultScene): Promise<void> {
  const opened = await calls.login(cycling);
  if (opened.status !== 200) return isExcused(opened) ? undefined : say(`login: ${tell(opened)}`);
  const tokens = tokensIn(opened);
  const ended = await calls.logout(tokens.Token);
  if (ended.status === 200) revoked.push(tokens);
  else if (!isExcused(ended)) say(`logout: ${tell(ended)}`);
}

async function replaceOne({ calls, replacing, revoked, say }: FaultScene): Promise<void> {
  const [earlier, later] = [await calls.login(replacing), await calls.login(replacing)];
  if (earlier.status !== 200 || later.status !== 200) return;
  const tokens = tokensIn(earlier);
  const outcome = await calls.ping(tokens.Token, 'ping after a later login');
  if (outcome.status === 200 && outcome.body['PingStatus'] === 4) revoked.push(tokens);
  else if (!isExcused(outcome)) say(`a replaced session's ping: ${tell(outcome)}`);
}

async function tryRevoked({ calls, revoked, say }: FaultScene): Promise<void> {
  const one = revoked[Math.floor(Math.random() * revoked.length)];
  if (one === undefined) return;
  for (const outcome of [
    await calls.check(one.Token),
    await calls.profile(one.Token),
    await calls.refresh(one.RefreshToken),
  ]) {
    if (outcome.status !== 401 && !isExcused(outcome))
      say(`${outcome.name} with an ended session: ${tell(outcome)}`);
  }
}

/** The slowest ping in these log lines, in milliseconds. */
function slowestPing(lines: string): number {
  const times = lines.matchAll(/"route":"\/ping","status":200,"ms":([\d.]+)/g);
  return Math.max(0, ...[...times].map(([, ms]) => Number(ms)));
}
