import assert from 'node:assert/strict';
import { eventually } from '@gatehouse/runtime/testing';
import type { Mail, World } from '../../e2e/src/testing/index.ts';
import { withoutAccount } from '../database.ts';
import { isExcused, tell } from '../one-call.ts';
import { callsOf, holds, pingOne, refreshOne, registerOne, repeated, type Scene } from '../users.ts';

/** Users who register, log in, ping and refresh continuously, as seen by a client outside the gateway. */
export type BackgroundUsers = Awaited<ReturnType<typeof startBackgroundUsers>>;

const USERS = 3;
const PAUSE_MS = 60;
const LAST_MAIL_SECONDS = 60;
const RECOVERY_MS = 10_000;

/** Lets users work until they are stopped. `lostNothing` reports each failure that no outage excuses. */
export async function startBackgroundUsers(world: World) {
  const { baseUrl, databaseUrl, mailUrl } = world.stack.facts;
  const emails = await Promise.all(Array.from({ length: USERS + 2 }, () => world.newAccount()));
  const [refreshing = '', returning = '', ...pinging] = emails;
  const tokens = await Promise.all(pinging.map(async (email) => (await world.login(email)).Token));
  const { RefreshToken: refreshToken } = await world.login(refreshing);
  const breaches = new Set<string>();
  const failures: string[] = [];
  let successes = 0;
  const calls = callsOf({ core: baseUrl, portal: baseUrl }, (outcome) => {
    if (outcome.status === 200) successes += 1;
    if (isExcused(outcome)) failures.push(`${new Date().toISOString()} ${outcome.name}: ${tell(outcome)}`);
  });
  const say = (breach: string): void => void breaches.add(breach);
  const scene: Scene = { calls, refreshing: { refreshToken }, acknowledged: [], say };
  const comeBack = async (): Promise<void> => {
    const opened = await calls.login(returning);
    if (holds(scene, 'login', opened)) await pingOne(scene, String(opened.body['Token']));
  };
  const checkOne = async (token: string) => holds(scene, "a live session's check", await calls.check(token));
  const acts = [
    () => registerOne(scene),
    () => refreshOne(scene),
    comeBack,
    ...tokens.flatMap((token) => [() => pingOne(scene, token), () => checkOne(token)]),
  ];
  const load = repeated(acts.map((act) => [PAUSE_MS, act]));
  const takeFailures = (): string[] => failures.splice(0);

  return {
    successes: () => successes,
    /** Returns the calls since the last time that were refused or broken in a way that an outage excuses. */
    takeFailures,
    /** Waits until no call fails for a second. Fails if that is not soon. */
    recover: async (): Promise<void> => {
      const begun = performance.now();
      for (;;) {
        takeFailures();
        const [at, before] = [performance.now(), successes];
        await new Promise((resolve) => setTimeout(resolve, 1000));
        assert.ok(at - begun < RECOVERY_MS, `${at - begun} ms`);
        if (failures.length === 0 && successes > before + 20) return;
      }
    },
    /** Stops the users after their current calls. */
    stop: load.stop,
    /** Stops the users, and checks that all that was acknowledged exists. */
    lostNothing: async (): Promise<void> => {
      await load.stop();
      for (const token of tokens)
        await eventually(async () => (await calls.ping(token)).body['PingStatus'] === 1);
      await eventually(async () => (await calls.refresh(scene.refreshing.refreshToken)).status === 200);
      assert.deepEqual([...breaches], []);
      assert.ok(scene.acknowledged.length > 0, 'a registration');
      assert.deepEqual(await withoutAccount(databaseUrl, scene.acknowledged), []);
      await everyMailArrives(mailUrl, scene.acknowledged);
    },
  };
}

/** Users who work during each test of this `describe`. */
export function usersOf(world: () => World): () => BackgroundUsers {
  let users: BackgroundUsers | undefined;
  beforeEach(async () => (users = await startBackgroundUsers(world())));
  afterEach(() => users?.stop());
  return () => users ?? assert.fail('no test is running');
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

export async function everyInstanceIsReady({ stack }: Pick<World, 'stack'>): Promise<void> {
  await eventually(async () => {
    const asked = Object.values(stack.facts.instances ?? {})
      .flat()
      .map(({ internalUrl }) => fetch(`${internalUrl}/health/ready`).then(({ status }) => status));
    return (await Promise.all(asked)).every((status) => status === 200);
  }, WAIT_SECONDS);
}
