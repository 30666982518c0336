import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { contentAccess, inTransaction, query } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { eventually } from '@gatehouse/runtime/testing';
import { logIn, newAccount, newChannel, type AccountRef } from './accounts.ts';
import type { Interrupted } from './mail-kills.ts';
import { isCommitted } from './request-steps.ts';
import type { Step } from './steps.ts';
import type { Point } from './trap.ts';
import { ask, mailTo, type World } from './world.ts';

/** Admin looks for due accounts every five seconds. */
const REACHED_MS_MAX = 9000;
const ERASED_SECONDS = 30;

const WHOLE = { accounts: 1, sessions: 1, accesses: 1, mails: 1, erased: 0, entries: 0 };
const ERASED = { accounts: 0, sessions: 0, accesses: 0, mails: 0, erased: 1, entries: 1 };

/** Kills the only Admin while it erases an account. Afterwards the account is either complete or erased completely. */
export async function killEraserAt(world: World, point: Point): Promise<Interrupted & AccountRef> {
  // At the same time, because the victim looks for due accounts only some seconds after its start.
  const [account, victim] = await Promise.all([
    newClosed(world),
    world.startVictim('admin', { hasBroker: false }),
  ]);
  world.admin.signal('SIGSTOP');
  try {
    const trap = victim.trapper.set(stepsOfErasing(account), point);
    await query(world.database.db, 'update erasure set erases_at = now() where account_id = ?', [account.id]);
    const isReached = await Promise.race([trap.sprung.then(() => true), pause(REACHED_MS_MAX, false)]);
    await victim.kill();
    assert.deepEqual(await remainsOf(world, account), isCommitted(trap.done) ? ERASED : WHOLE);
    return { ...account, isReached };
  } finally {
    await victim.kill();
    await victim.close();
    world.admin.signal('SIGCONT');
  }
}

/** Waits until an account is erased, and checks that its owner got one mail about it. */
export async function isErasedOnce(world: World, account: AccountRef): Promise<void> {
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
  const access = { contentDefinitionId: channel.id, accountId: account.id, grantedBy: undefined };
  await inTransaction(db, NO_DEADLINE, (tx) => contentAccess.grant(tx, access));
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
  const [found] = await query<typeof WHOLE>(
    world.database.db,
    `select
       (select count(*)::int from account where id = :id) as accounts,
       (select count(*)::int from user_session where account_id = :id) as sessions,
       (select count(*)::int from content_access where account_id = :id) as accesses,
       (select count(*)::int from mail_delivery where account_id = :id and kind <> 'account-erased') as mails,
       (select count(*)::int from erasure where account_id = :id and erased_at is not null) as erased,
       (select count(*)::int from audit where target_id = :id and action = 'account.erased') as entries`,
    { id },
  );
  assert.ok(found);
  return found;
}
