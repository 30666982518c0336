import assert from 'node:assert/strict';
import { connectDb, query } from '@gatehouse/db';
import { eventually } from '@gatehouse/runtime/testing';
import { PASSWORD, type Mail, type World } from '../../e2e/src/testing/index.ts';
import { oneCall, type Outcome } from './one-call.ts';

/** Users who register, log in, ping and refresh continuously, as seen by a client outside the gateway. */
export interface BackgroundUsers {
  /** The number of calls that were answered as expected. */
  successes(): number;
  /** Returns the calls since the last time that were refused or broken in a way that an outage excuses. */
  takeFailures(): string[];
  /** Stops the users after their current calls. */
  leave(): Promise<void>;
  /** Stops the users, and checks that all that was acknowledged exists. */
  stop(): Promise<void>;
}

const USERS = 3;
const PAUSE_MS = 60;
const LAST_MAIL_SECONDS = 60;

/**
 * Lets users work on a system until they are stopped. Every failure that an outage does not excuse is reported by
 * `stop`.
 */
export async function startBackgroundUsers(world: World): Promise<BackgroundUsers> {
  const { baseUrl, databaseUrl, mailUrl } = world.stack.facts;
  const ask = (path: string, body?: object, token?: string): Promise<Outcome> =>
    oneCall(path, `${baseUrl}${path}`, { ...(body && { body }), ...(token !== undefined && { token }) });
  const emails = await Promise.all(Array.from({ length: USERS + 2 }, () => world.newAccount()));
  const [refreshing = '', returning = '', ...pinging] = emails;
  const tokens = await Promise.all(pinging.map(async (email) => (await world.login(email)).Token));
  let current = await world.login(refreshing);
  const acknowledged: string[] = [];
  const breaches = new Set<string>();
  let failures: string[] = [];
  let successes = 0;
  let isOver = false;

  /**
   * Whether the call was answered as expected. An answer that is neither expected nor excused by an outage is a broken
   * promise.
   */
  const judge = (outcome: Outcome, isGood = outcome.status === 200): boolean => {
    const { name, status, body } = outcome;
    const told = `${name}: ${status} ${JSON.stringify({ code: body['code'], PingStatus: body['PingStatus'] })}`;
    if (isGood) successes += 1;
    else if (status === 503 || status === 0) failures.push(`${new Date().toISOString()} ${told}`);
    else breaches.add(told);
    return isGood;
  };
  const ping = async (token: string): Promise<boolean> => {
    const outcome = await ask('/account/ping', {}, token);
    return judge(outcome, outcome.status === 200 && outcome.body['PingStatus'] === 1);
  };
  const register = async (): Promise<void> => {
    const email = world.someEmail();
    if (judge(await ask('/account/register', { Email: email, Password: PASSWORD }))) acknowledged.push(email);
  };
  const refresh = async (): Promise<void> => {
    const outcome = await ask('/account/refresh-token', { RefreshToken: current.RefreshToken });
    if (judge(outcome)) current = outcome.body as unknown as typeof current;
  };
  const comeBack = async (): Promise<void> => {
    const opened = await ask('/account/login', { Username: returning, Password: PASSWORD });
    if (judge(opened)) await ping(String(opened.body['Token']));
  };
  const repeat = async (act: () => Promise<unknown>): Promise<void> => {
    while (!isOver) {
      await act();
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  const check = async (token: string): Promise<boolean> => judge(await ask('/ping/auth', undefined, token));
  const acts = [
    register,
    refresh,
    comeBack,
    ...tokens.flatMap((token) => [() => ping(token), () => check(token)]),
  ];
  const ended = Promise.all(acts.map(repeat));

  const leave = async (): Promise<void> => {
    isOver = true;
    await ended;
  };

  return {
    successes: () => successes,
    takeFailures: () => {
      const taken = failures;
      failures = [];
      return taken;
    },
    leave,
    stop: async () => {
      await leave();
      for (const token of [...tokens, current.Token]) await eventually(() => ping(token));
      assert.deepEqual([...breaches], []);
      assert.ok(acknowledged.length > 0, 'a registration');
      assert.deepEqual(await missingAccounts(databaseUrl, acknowledged), []);
      await everyMailArrives(mailUrl, acknowledged);
    },
  };
}

async function missingAccounts(databaseUrl: string, emails: readonly string[]): Promise<string[]> {
  const db = connectDb({ url: databaseUrl, applicationName: 'people', poolMax: 1 });
  try {
    const sql = 'select email_key as key from account where email_key = any(?)';
    const rows = await query<{ key: string }>(db, sql, [emails]);
    const found = new Set(rows.map(({ key }) => key));
    return emails.filter((email) => !found.has(email));
  } finally {
    await db.destroy();
  }
}

/** Checks that everyone gets their mail. A repeated mail must have the Message-ID of the first. */
async function everyMailArrives(mailUrl: string, emails: readonly string[]): Promise<void> {
  const messages = new Map<string, Set<string>>();
  await eventually(async () => {
    const mails = (await (await fetch(`${mailUrl}/email`)).json()) as Mail[];
    for (const { to, headers } of mails)
      for (const { address } of to)
        messages.set(address, (messages.get(address) ?? new Set()).add(headers['message-id'] ?? ''));
    const unmailed = emails.filter((email) => !messages.has(email));
    assert.deepEqual(unmailed, []);
    return true;
  }, LAST_MAIL_SECONDS);
  const doubtful = emails.filter((email) => messages.get(email)?.size !== 1);
  assert.deepEqual(doubtful, []);
}

const WAIT_SECONDS = 30;

/** Waits until every instance of every API is ready. */
export async function everyInstanceIsReady({ stack }: Pick<World, 'stack'>): Promise<void> {
  await eventually(async () => {
    const asked = Object.values(stack.facts.instances ?? {})
      .flat()
      .map(({ internalUrl }) => fetch(`${internalUrl}/health/ready`).then(({ status }) => status));
    return (await Promise.all(asked)).every((status) => status === 200);
  }, WAIT_SECONDS);
}
