import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { PASSWORD, someEmail } from '@gatehouse/accounts/testing';
import { during, eventually } from '@gatehouse/runtime/testing';
import { query } from '@gatehouse/db';
import { grant, newAccount, logIn, newChannel, type AccountRef } from './accounts.ts';
import type { Step } from './steps.ts';
import type { Point } from './trap.ts';
import { mailTo } from '../mails.ts';
import { ask, startWorld, type ServiceProcess, type Victim, type World } from './world.ts';
import { isCommitted } from './kills.ts';

/** More than there are steps. */
const STEPS_MAX = 20;

/** Each step of background work costs a process, so only the most important are tried unless `isWhole`. */
export function survivesKillsInBackground({ isWhole }: { isWhole: boolean }): void {
  const world = during(() => startWorld());

  /** Interrupts at each point in order, until one is after the last step. */
  const interruptAtEvery = async <One extends Interrupted>(
    interruptAt: (world: World, point: Point) => Promise<One>,
    important: readonly number[],
  ): Promise<One[]> => {
    const interrupted: One[] = [];
    for (let step = 1; step <= STEPS_MAX; step += 1) {
      if (!isWhole && !important.includes(step)) continue;
      for (const side of ['before', 'after'] as const) {
        const one = await interruptAt(world, { step, side });
        interrupted.push(one);
        if (!one.isReached && side === 'before') return interrupted;
      }
    }
    return interrupted;
  };
  /** The number of copies of the mail to each address, once each has arrived. */
  const copiesOf = (interrupted: readonly Interrupted[]): Promise<number[]> =>
    eventually(() => {
      const copies = interrupted.map(({ email }) => world.sink.mailsTo(email).length);
      return copies.every((count) => count > 0) && copies;
    }, 60);

  for (const [title, interruptAt, important] of [
    // The first change and the commit.
    ['mails each requested code once when its process is killed', killCodeMailerAt, [2, 6]],
    // The lease and the first publication.
    ['loses no mail and repeats none when relays are killed', killRelayAt, [1, 2]],
  ] as const)
    it(title, async () => {
      const copies = await copiesOf(await interruptAtEvery(interruptAt, important));
      assert.ok(copies.every((count) => count === 1));
    });

  it('erases an account completely or not at all when Admin is killed, and once in the end', async () => {
    // The erasure and the commit.
    const interrupted = await interruptAtEvery(killEraserAt, [1, 3]);
    assert.ok(interrupted.filter(({ isReached }) => isReached).length >= 4);
    for (const account of interrupted) await isErasedOnce(world, account);
  });

  it('loses no mail and repeats at most one for each mail worker that is killed', async () => {
    await world.worker.kill();
    // The record, the claim, and a command to the mail server.
    const interrupted = await interruptAtEvery(killWorkerAt, [1, 3, 7]);
    await world.startWorker();
    const copies = await copiesOf(interrupted);
    const repeats = copies.reduce((sum, count) => sum + count - 1, 0);
    assert.ok(repeats <= interrupted.filter(({ isReached }) => isReached).length, copies.join());
    // The same Message-ID, so that a mailbox can recognise repeats.
    for (const { email } of interrupted)
      assert.equal(new Set(world.sink.mailsTo(email).map(({ messageId }) => messageId)).size, 1);
  });
}

/** A point that is not reached within this time is after the last step. */
const REACHED_MS_MAX = 4000;

/** A mail that was being processed when its process was killed, with whether the point was reached. */
interface Interrupted {
  email: string;
  isReached: boolean;
}

/** Kills the only active relay while it publishes the events of a registration. */
async function killRelayAt(world: World, point: Point): Promise<Interrupted> {
  const email = someEmail();
  const victim = await world.startVictim('core', { hasBroker: true });
  // The relay reads the outbox even when it is empty.
  let isSent = false;
  const isReached = await interrupt(victim, point, {
    others: [world.core, world.portal, world.admin],
    counts: ({ text }) =>
      (isSent ||= text.startsWith('insert into outbox')) &&
      /^publish$|^(update|delete from) outbox /.test(text),
    begin: async () => {
      const answer = await ask(victim, '/account/register', { body: { Email: email, Password: PASSWORD } });
      if (answer?.status !== 200) throw new Error(`a registration: ${JSON.stringify(answer)}`);
    },
  });
  return { email, isReached };
}

/** Kills the only Core while it mails requested codes. */
async function killCodeMailerAt(world: World, point: Point): Promise<Interrupted> {
  const { email } = await newAccount(world);
  const victim = await world.startVictim('core', { hasBroker: false });
  let isSent = false;
  let mailing: number | undefined;
  const isReached = await interrupt(victim, point, {
    others: [world.core],
    counts: ({ text, connection }) => {
      isSent ||= text.startsWith('insert into reset_request');
      if (text.startsWith('delete from reset_request')) mailing = connection;
      // Core looks for requests even when there are none.
      const isOwn = connection === mailing || text.startsWith('update reset_request');
      if (text === 'COMMIT' && connection === mailing) mailing = undefined;
      return isSent && isOwn;
    },
    begin: async () => {
      const answer = await ask(victim, '/account/forgot-password', { body: { Email: email } });
      if (answer?.status !== 200) throw new Error(`a request for a code: ${JSON.stringify(answer)}`);
    },
  });
  return { email, isReached };
}

/** Kills the only mail worker while it sends a code. The next worker continues. */
async function killWorkerAt(world: World, point: Point): Promise<Interrupted> {
  const { id, email } = await newAccount(world);
  const victim = await world.startVictim('mail-worker', { hasBroker: true });
  // The steps of this mail begin with its record. When it is marked as sent, the worker looks for others.
  let isBegun = false;
  let isOver = false;
  const isReached = await interrupt(victim, point, {
    counts: (step) => {
      isBegun ||= step.frame.includes(id);
      if (!isBegun || isOver || (step.protocol === 'postgres' && !isOfMail(step))) return false;
      isOver = isMark(step);
      return true;
    },
    begin: () => ask(world.core, '/account/forgot-password', { body: { Email: email } }),
  });
  return { email, isReached };
}

/** Kills a process at a point of the work that `begin` causes, and that none of the others takes over meanwhile. */
async function interrupt(
  victim: Victim,
  point: Point,
  work: {
    counts: (step: Step) => boolean;
    begin: () => Promise<unknown>;
    others?: readonly ServiceProcess[];
    waitMs?: number;
    /** Checks what the killed process has left, with the steps that it has done. */
    check?: (done: readonly Step[]) => Promise<void>;
  },
): Promise<boolean> {
  const { others = [], waitMs = REACHED_MS_MAX } = work;
  for (const other of others) other.signal('SIGSTOP');
  try {
    const trap = victim.trapper.set(work.counts, point);
    await work.begin();
    const isReached = await Promise.race([trap.sprung.then(() => true), pause(waitMs, false)]);
    await victim.kill();
    await work.check?.(trap.done);
    return isReached;
  } finally {
    await victim.close();
    for (const other of others) other.signal('SIGCONT');
  }
}

/** The record, the claim, the check of the code, or the mark. */
function isOfMail(step: Step): boolean {
  return /insert into mail_delivery|^with due |from account_code/.test(step.text) || isMark(step);
}

function isMark({ text }: Step): boolean {
  return text.startsWith('update mail_delivery set status');
}

/** Admin looks for due accounts every five seconds. */
const ERASER_MS_MAX = 9000;
const ERASED_SECONDS = 30;

const WHOLE = { accounts: 1, sessions: 1, accesses: 1, mails: 1, erased: 0, entries: 0 };
const ERASED = { accounts: 0, sessions: 0, accesses: 0, mails: 0, erased: 1, entries: 1 };

/** Kills the only Admin while it erases an account. Afterwards the account is either complete or erased completely. */
async function killEraserAt(world: World, point: Point): Promise<Interrupted & AccountRef> {
  // At the same time, because the victim looks for due accounts only some seconds after its start.
  const [account, victim] = await Promise.all([
    newClosed(world),
    world.startVictim('admin', { hasBroker: false }),
  ]);
  const due = 'update erasure set erases_at = now() where account_id = ?';
  const isReached = await interrupt(victim, point, {
    others: [world.admin],
    counts: stepsOfErasing(account),
    begin: () => query(world.database.db, due, [account.id]),
    waitMs: ERASER_MS_MAX,
    check: async (done) =>
      assert.deepEqual(await remainsOf(world, account), isCommitted(done) ? ERASED : WHOLE),
  });
  return { ...account, isReached };
}

/** Waits until an account is erased, and checks that its owner got one mail about it. */
async function isErasedOnce(world: World, account: AccountRef): Promise<void> {
  await eventually(async () => (await remainsOf(world, account)).erased === 1, ERASED_SECONDS);
  assert.deepEqual(await remainsOf(world, account), ERASED);
  // One mail that the account is closed, and one that it is erased.
  await mailTo(world, account.email, 2);
  assert.equal(world.sink.mailsTo(account.email).length, 2);
}

/** An account with a session, access and a mail, closed by an administrator. */
async function newClosed(world: World): Promise<AccountRef> {
  const { db } = world.database;
  const { Token: token } = await logIn(world, await newAccount(world, 'Admin'));
  const channel = await newChannel(world);
  const account = await newAccount(world);
  await grant(world, channel.id, account.id);
  await logIn(world, account);
  const closed = await ask(world.admin, `/admin/account/${account.id}`, { method: 'DELETE', token });
  assert.equal(closed?.status, 202, JSON.stringify(closed));
  await mailTo(world, account.email);
  // The account is not erased before its sessions are published.
  const unpublished = `
    select 1 from live_session_outbox o join user_session s on s.id = o.session_id where s.account_id = ?`;
  await eventually(async () => (await query(db, unpublished, [account.id])).length === 0);
  return account;
}

/** Selects the steps that erase this account, up to the commit. Others may be left from earlier kills. */
function stepsOfErasing({ id }: AccountRef): (step: Step) => boolean {
  let erasing: number | undefined;
  return ({ protocol, connection, text, frame }) => {
    if (protocol !== 'postgres') return false;
    if (text.startsWith('select forget_account') && frame.includes(id)) erasing = connection;
    const isOwn = connection === erasing;
    if (isOwn && text === 'COMMIT') erasing = undefined;
    return isOwn;
  };
}

async function remainsOf(world: World, { id }: AccountRef): Promise<typeof WHOLE> {
  const counts = `select
       (select count(*)::int from account where id = :id) as accounts,
       (select count(*)::int from user_session where account_id = :id) as sessions,
       (select count(*)::int from content_access where account_id = :id) as accesses,
       (select count(*)::int from mail_delivery where account_id = :id and kind <> 'account-erased') as mails,
       (select count(*)::int from erasure where account_id = :id and erased_at is not null) as erased,
       (select count(*)::int from audit where target_id = :id and action = 'account.erased') as entries`;
  const [found] = await query<typeof WHOLE>(world.database.db, counts, { id });
  assert.ok(found);
  return found;
}
