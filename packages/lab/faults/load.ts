import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from '../cluster/one-call.ts';
import type { FaultWorld } from './fault-world.ts';
import { clientOf, someEmail, type Client } from './client.ts';

/** Users with sessions who are active during every fault of a world. */
export interface Fixtures {
  /** Tokens that are only used for pings. */
  pinging: string[];
  /** The newest refresh token of the user who refreshes. */
  refreshing: { refreshToken: string };
  /** The email of the user who logs in and out repeatedly. */
  cycling: string;
  /** The email of the user who logs in while having a session. */
  replacing: string;
  /** Tokens whose session was ended with a 2xx: they must not work any more. */
  revoked: { token: string; refreshToken: string; email: string }[];
  /** Emails whose registration was answered with a 2xx. */
  acknowledged: string[];
}

export async function loadFixtures(world: FaultWorld): Promise<Fixtures> {
  const client = clientOf(world);
  const emails = await Promise.all(Array.from({ length: 6 }, () => client.newAccount()));
  const logins = await Promise.all(emails.map((email) => client.login(email)));
  const token = ({ body }: Outcome): string => String(body['Token']);
  const [first, second, third, fourth] = logins as [Outcome, Outcome, Outcome, Outcome];
  const [, , , , cycling = '', replacing = ''] = emails;
  return {
    pinging: [first, second, third].map(token),
    refreshing: { refreshToken: String(fourth.body['RefreshToken']) },
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
  const client = clientOf(world, (outcome) => {
    seen.outcomes.push(outcome);
    if (outcome.status === 503 && !outcome.hasRetryAfter)
      seen.breaches.push(`${outcome.name}: no Retry-After`);
  });
  const scene: Scene = { client, fixtures, say: (breach) => seen.breaches.push(breach) };
  const log = join(world.directory, 'logs', 'core.log');
  const logStart = statSync(log).size;
  let isOver = false;
  const repeat = async (pauseMs: number, act: () => Promise<unknown>): Promise<void> => {
    while (!isOver) {
      await act();
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };
  const acts = [
    repeat(20, async () => void seen.pings.push(await world.baseline.excessOf(world.stack.facts.urls.core))),
    repeat(100, () => registerOne(scene)),
    repeat(100, () => refreshOne(scene)),
    repeat(100, () => cycleOne(scene)),
    repeat(150, () => replaceOne(scene)),
    repeat(100, () => tryRevoked(scene)),
    ...fixtures.pinging.map((token) => repeat(100, () => pingOne(scene, token))),
  ];
  return {
    stop: async () => {
      isOver = true;
      await Promise.all(acts);
      seen.slowestInside = slowestPing(readFileSync(log).subarray(logStart).toString());
      return seen;
    },
  };
}

interface Scene {
  client: Client;
  fixtures: Fixtures;
  say(breach: string): void;
}

/** Responses that a fault may cause: 503, or no response because the process has died. */
function isExcused({ status }: Outcome): boolean {
  return status === 503 || status === 0;
}

async function registerOne({ client, fixtures, say }: Scene): Promise<void> {
  const email = someEmail();
  const outcome = await client.register(email);
  if (outcome.status === 200) fixtures.acknowledged.push(email);
  else if (!isExcused(outcome)) say(`register: ${tell(outcome)}`);
}

async function pingOne({ client, say }: Scene, token: string): Promise<void> {
  const outcome = await client.ping(token);
  const isNormal = outcome.status === 200 && outcome.body['PingStatus'] === 1;
  if (!isNormal && !isExcused(outcome)) say(`a live session's ping: ${tell(outcome)}`);
}

async function refreshOne({ client, fixtures, say }: Scene): Promise<void> {
  const outcome = await client.refresh(fixtures.refreshing.refreshToken);
  if (outcome.status === 200) fixtures.refreshing.refreshToken = String(outcome.body['RefreshToken']);
  else if (!isExcused(outcome)) say(`a live session's refresh: ${tell(outcome)}`);
}

/** Ends a session. After the response, neither of its tokens may work. */
async function cycleOne({ client, fixtures, say }: Scene): Promise<void> {
  const opened = await client.login(fixtures.cycling);
  if (opened.status !== 200) return isExcused(opened) ? undefined : say(`login: ${tell(opened)}`);
  const { Token, RefreshToken } = opened.body as { Token: string; RefreshToken: string };
  const ended = await client.logout(Token);
  if (ended.status === 200)
    fixtures.revoked.push({ token: Token, refreshToken: RefreshToken, email: fixtures.cycling });
  else if (!isExcused(ended)) say(`logout: ${tell(ended)}`);
}

async function replaceOne({ client, fixtures, say }: Scene): Promise<void> {
  const [earlier, later] = [await client.login(fixtures.replacing), await client.login(fixtures.replacing)];
  if (earlier.status !== 200 || later.status !== 200) return;
  const outcome = await client.ping(String(earlier.body['Token']), 'ping after a later login');
  const isReplaced = outcome.status === 200 && outcome.body['PingStatus'] === 4;
  if (!isReplaced && !isExcused(outcome)) say(`a replaced session's ping: ${tell(outcome)}`);
  if (!isReplaced) return;
  fixtures.revoked.push({
    token: String(earlier.body['Token']),
    refreshToken: String(earlier.body['RefreshToken']),
    email: fixtures.replacing,
  });
}

async function tryRevoked({ client, fixtures, say }: Scene): Promise<void> {
  const one = fixtures.revoked[Math.floor(Math.random() * fixtures.revoked.length)];
  if (one === undefined) return;
  const { token, refreshToken } = one;
  for (const outcome of [
    await client.check(token),
    await client.profile(token),
    await client.refresh(refreshToken),
  ]) {
    if (outcome.status !== 401 && !isExcused(outcome))
      say(`${outcome.name} with an ended session: ${tell(outcome)}`);
  }
}

/** A short description of a response. */
export function tell({ status, body: { code, PingStatus } }: Outcome): string {
  return `${status} ${JSON.stringify({ code, PingStatus })}`;
}

/** The slowest ping in these log lines, in milliseconds. */
function slowestPing(lines: string): number {
  const times = lines.matchAll(/"route":"\/ping","status":200,"ms":([\d.]+)/g);
  return Math.max(0, ...[...times].map(([, ms]) => Number(ms)));
}
