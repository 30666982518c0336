import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { query } from '@gatehouse/db';
import { tryLogin, type AccountRef } from './accounts.ts';
import { isErasedOnce, newClosed } from './erasure-kills.ts';
import type { Interrupted } from './mail-kills.ts';
import type { Step } from './steps.ts';
import type { Point } from './trap.ts';
import type { World } from './world.ts';

/** Admin looks every five seconds, and first tries twice to erase the account as a whole. */
const REACHED_MS_MAX = 12_000;
/** The maximum of rows per part. */
const PART_ROWS = 2000;
/** The number of audit entries: more than two parts. */
const ENTRIES = 4500;

/** An account that is erased in parts, and the numbers of its rows, which the erasure counts. */
export interface LargeAccount extends Interrupted, AccountRef {
  rows: { content_access: number; mail_delivery: number; user_session: number };
}

/**
 * Kills the only Admin while it erases an account in parts. Each part is done completely or not at all, and none is
 * undone.
 */
export async function killPartialEraserAt(world: World, point: Point): Promise<LargeAccount> {
  const [account, victim] = await Promise.all([
    newLarge(world),
    world.startVictim('admin', { hasBroker: false }),
  ]);
  const { personal } = await stateOf(world, account);
  const rows = await rowsOf(world, account);
  world.admin.signal('SIGSTOP');
  try {
    const trap = victim.trapper.set(stepsOfParts(account), point);
    await query(world.database.db, 'update erasure set erases_at = now() where account_id = ?', [account.id]);
    const isReached = await Promise.race([trap.sprung.then(() => true), pause(REACHED_MS_MAX, false)]);
    await victim.kill();
    const { parts, isErased } = committedOf(trap.done);
    assert.deepEqual(await stateOf(world, account), {
      accounts: isErased ? 0 : 1,
      entries: isErased ? 1 : 0,
      hasBegun: parts > 0,
      personal: Math.max(0, personal - parts * PART_ROWS),
    });
    if (parts > 0) await staysClosed(world, account, isErased);
    return { ...account, rows, isReached };
  } finally {
    await victim.kill();
    await victim.close();
    world.admin.signal('SIGCONT');
  }
}

/** Waits until an account is erased, in however many parts. Each row must be counted once. */
export async function isErasedInParts(world: World, account: LargeAccount): Promise<void> {
  await isErasedOnce(world, account);
  assert.deepEqual((await stateOf(world, account)).personal, 0);
  const [erasure] = await query<{ counts: Record<string, number> }>(
    world.database.db,
    'select counts from erasure where account_id = ?',
    [account.id],
  );
  const { content_access, mail_delivery, user_session } = erasure?.counts ?? {};
  assert.deepEqual({ content_access, mail_delivery, user_session }, account.rows);
}

/**
 * A closed account with more audit entries than one statement may change here. The limit stands in for the time limit.
 */
async function newLarge(world: World): Promise<AccountRef> {
  const account = await newClosed(world);
  const { id } = account;
  const { db } = world.database;
  await query(
    db,
    `insert into audit (id, action, actor_kind, actor_id, target_kind, target_id, details, ip_address)
     select gen_random_uuid(), 'account.changed', 'Account', ?, 'Account', ?, '{"Reason": "a word"}', '192.0.2.1'
     from generate_series(1, ?)`,
    [id, id, ENTRIES],
  );
  await query(
    db,
    `create or replace function refuse_many() returns trigger language plpgsql as
     'begin if (select count(*) from many) > ${PART_ROWS} then raise exception ''too many''; end if; return null; end'`,
  );
  await query(
    db,
    `create or replace trigger audit_few after update on audit referencing new table as many
     for each statement execute function refuse_many()`,
  );
  return account;
}

/**
 * Selects the steps that erase this account from its first part on, each part up to its commit. Others may be left from
 * earlier kills.
 */
function stepsOfParts({ id }: AccountRef): (step: Step) => boolean {
  let hasBegun = false;
  let erasing: number | undefined;
  return ({ protocol, connection, text, frame }) => {
    if (protocol !== 'postgres') return false;
    const isOfAccount = frame.includes(id);
    const isPart = isOfPart(text) && isOfAccount;
    hasBegun ||= isPart;
    if (hasBegun && (isPart || (isOfWhole(text) && isOfAccount))) erasing = connection;
    const isOwn = connection === erasing;
    if (isOwn && text === 'COMMIT') erasing = undefined;
    return isOwn;
  };
}

function isOfPart(text: string): boolean {
  return text.startsWith('select cast(forget_part');
}

function isOfWhole(text: string): boolean {
  return text.startsWith('select forget_account');
}

/** The number of committed parts, and whether the remainder was committed. */
function committedOf(done: readonly Step[]): { parts: number; isErased: boolean } {
  let parts = 0;
  let isErased = false;
  let isWhole = false;
  for (const { text } of done) {
    if (isOfPart(text) || isOfWhole(text)) isWhole = isOfWhole(text);
    if (text !== 'COMMIT') continue;
    if (isWhole) isErased = true;
    else parts += 1;
  }
  return { parts, isErased };
}

/** Nobody can log in to an account whose erasure has begun, and nobody can restore it. */
async function staysClosed(world: World, account: AccountRef, isErased: boolean): Promise<void> {
  assert.equal((await tryLogin(world, account))?.status, isErased ? 404 : 403);
  if (isErased) return;
  const takeBack = 'update erasure set restored_at = now() where account_id = ? returning id';
  assert.deepEqual(await query(world.database.db, takeBack, [account.id]), []);
}

/** `personal`: the number of audit entries with an address or a reason. */
async function stateOf(world: World, { id }: AccountRef) {
  const [found] = await query<{ accounts: number; entries: number; hasBegun: boolean; personal: number }>(
    world.database.db,
    `select
       (select count(*)::int from account where id = :id) as accounts,
       (select count(*)::int from audit where target_id = :id and action = 'account.erased') as entries,
       (select counts is not null from erasure where account_id = :id) as "hasBegun",
       (select count(*)::int from audit
        where (actor_id = :id or target_id = :id)
          and (ip_address is not null or jsonb_exists(details, 'Reason'))) as personal`,
    { id },
  );
  assert.ok(found);
  return found;
}

async function rowsOf(world: World, { id }: AccountRef): Promise<LargeAccount['rows']> {
  const [found] = await query<LargeAccount['rows']>(
    world.database.db,
    `select
       (select count(*)::int from content_access where account_id = :id) as content_access,
       (select count(*)::int from mail_delivery where account_id = :id) as mail_delivery,
       (select count(*)::int from user_session where account_id = :id) as user_session`,
    { id },
  );
  assert.ok(found);
  return found;
}
