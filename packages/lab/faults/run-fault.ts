import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { someEmail } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { eventually } from '@gatehouse/runtime/testing';
import { median } from '../bench/compare.ts';
import { withDb } from '../database.ts';
import { tell } from '../one-call.ts';
import { clientOf, type FaultWorld } from './fault-world.ts';
import { startLoad, type Fixtures, type Seen } from './load.ts';

/** A fault, and what must keep working during it. */
export interface Fault {
  name: string;
  begin: () => unknown;
  /** Nothing if what it has done is not to be undone. */
  end?: () => unknown;
  seconds?: number;
  /** Calls that must not even get a 503; by default none. Connections may break if a process is killed. */
  undisturbed?: 'pings' | 'calls' | undefined;
  breaksConnections?: boolean;
  /**
   * Set if the fault delays mails: those that were requested during it must be sent within the recovery time after its
   * end, except this many, which the mail server may have had when the fault began.
   */
  mailsInDoubt?: 0 | 1 | undefined;
}

/** Every response arrives within this time, whatever is broken. */
const ANSWER_MS = 5000;
/** Every `GET /ping` takes less than this according to the service's own log, and half of them as seen from outside. */
const PING_MS = 50;
/** Minus the time of a bare server at the same moment: a small machine guarantees no process its time. */
const SLOWEST_PING_MS = 250;
const RECOVERY_SECONDS = 10;
const LONG_SECONDS = 3;
/** Such a mail is given up with its connection after 10 s, and sent again within another 10 s. */
const IN_DOUBT_SECONDS = 25;

export interface Stage {
  world: FaultWorld;
  fixtures: Fixtures;
}

/** Runs a fault while users are active, and checks all promises against what they saw. */
export async function runFault({ world, fixtures }: Stage, fault: Fault): Promise<void> {
  const load = startLoad(world, fixtures);
  let seen: Seen | undefined;
  let recoveryMs = Infinity;
  const earlier = fixtures.acknowledged.length;
  let endedAt = 0;
  let meanwhile: string[] = [];
  try {
    await pause(200);
    await fault.begin();
    await pause((fault.seconds ?? LONG_SECONDS) * 1000);
    await fault.end?.();
    endedAt = Date.now();
    meanwhile = fixtures.acknowledged.slice(earlier);
    recoveryMs = await recover(world);
  } finally {
    seen = await load.stop();
  }
  assert.deepEqual([...new Set(seen.breaches)], []);
  holdsBounds(seen, fault);
  assert.ok(recoveryMs < RECOVERY_SECONDS * 1000, `recovered after ${recoveryMs} ms`);
  if (fault.mailsInDoubt !== undefined) await mailsAreOut(world, meanwhile, endedAt, fault.mailsInDoubt);
}

async function mailsAreOut(world: FaultWorld, emails: readonly string[], endedAt: number, inDoubt: number) {
  const missing = (): string[] => emails.filter((email) => world.sink.mailsTo(email).length === 0);
  const wait = async (seconds: number): Promise<string[]> => {
    while (missing().length > 0 && Date.now() < endedAt + seconds * 1000) await pause(50);
    return missing();
  };
  const late = await wait(RECOVERY_SECONDS);
  assert.ok(late.length <= inDoubt, `of ${emails.length} mails, these are late: ${late.join()}`);
  assert.deepEqual(await notRetrying(world, late), [], 'they are late although they were not in doubt');
  assert.deepEqual(
    await wait(IN_DOUBT_SECONDS),
    [],
    `of ${emails.length} mails that were asked for meanwhile`,
  );
}

/** Those of the addresses whose mail is not waiting for its second try. */
async function notRetrying(world: FaultWorld, emails: readonly string[]): Promise<string[]> {
  const sql = "select email from mail_delivery where status = 'Retrying' and email = any(?)";
  const { databaseUrl } = world.stack.facts;
  const retrying = await withDb(databaseUrl, (db) => query.column<string>(db, sql, [emails]));
  return emails.filter((email) => !retrying.includes(email));
}

function holdsBounds({ outcomes, pings, slowestInside }: Seen, { undisturbed, breaksConnections }: Fault) {
  const slowest = outcomes.reduce((one, other) => (other.milliseconds > one.milliseconds ? other : one));
  assert.ok(slowest.milliseconds < ANSWER_MS, `${slowest.name} took ${slowest.milliseconds} ms`);
  const guarded = outcomes.filter(({ name }) => undisturbed === 'calls' || name === 'ping');
  const failed = outcomes.filter(({ status }) => status === 0);
  if (undisturbed !== undefined)
    assert.deepEqual(new Set(guarded.filter(({ status }) => status === 503).map(tell)), new Set());
  if (breaksConnections === true) return;
  assert.deepEqual(failed, []);
  assert.ok(median(pings) < PING_MS, 'half of all /ping');
  const slowestPing = Math.max(...pings);
  assert.ok(slowestPing < SLOWEST_PING_MS, `/ping took ${slowestPing} ms as seen from outside`);
  assert.ok(slowestInside < PING_MS, `/ping took ${slowestInside} ms inside of Core`);
}

/** The time until every service is ready and a new user can get from registration to logout. */
export async function recover(world: FaultWorld): Promise<number> {
  const begun = performance.now();
  const client = clientOf(world);
  const done = async (step: () => Promise<{ status: number }>): Promise<void> => {
    await eventually(async () => {
      assert.equal((await step()).status, 200);
      return true;
    }, 30);
  };
  await Promise.all(world.healthUrls.map((url) => done(() => fetch(url))));
  const email = someEmail();
  await done(() => client.register(email));
  const code = await client.mailedCode(email);
  await done(() => client.verify(email, code));
  let token = '';
  await done(async () => {
    const opened = await client.login(email);
    token = String(opened.body['Token']);
    return opened;
  });
  await done(() => client.ping(token));
  await done(() => client.profile(token));
  await done(() => client.logout(token));
  return performance.now() - begun;
}
