import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mailCode } from '@gatehouse/accounts';
import { someEmail } from '@gatehouse/accounts/testing';
import { accounts, inTransaction, mailDeliveries, query } from '@gatehouse/db';
import { claimMail } from '@gatehouse/db/testing';
import { newMailEvent } from '@gatehouse/events';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { v7 as newId } from 'uuid';
import type { TestAdmin } from '../testing/index.ts';

/** Records and claims the mail of a verification code like the mail worker. */
export async function recordMail(admin: TestAdmin, email = someEmail()) {
  const person = await admin.newAccount({ email });
  const { db } = admin.app;
  const id = await inTransaction(db, NO_DEADLINE, async (tx) => {
    const account = await accounts.findById(tx, person.id);
    assert.ok(account);
    assert.ok(await mailCode(admin.app, tx, account, 'verify', { traceId: 'x' }));
    const [row] = await query<{ id: string }>(tx, 'select id from outbox order by id desc limit 1');
    return row?.id ?? '';
  });
  const [row] = await query<{ event: Parameters<typeof mailDeliveries.record>[1]['event'] }>(
    db,
    'select event from outbox where id = ?',
    [id],
  );
  assert.ok(row);
  const [code] = await query<{ id: string }>(db, 'select id from account_code where account_id = ?', [
    person.id,
  ]);
  const facts = { kind: 'verification-code', accountId: person.id, email, codeId: code?.id } as const;
  const mail = { event: row.event, ...facts };
  await mailDeliveries.record(db, mail);
  const hold = await claimMail(db, id);
  assert.ok(hold);
  return { id, event: row.event, accountId: person.id, email, hold };
}

/**
 * The mail about an erasure, parked: with a link that cancels it if the owner requested it,
 * without one if an administrator did.
 */
export async function parkErasureMail(admin: TestAdmin, by: 'owner' | 'administrator') {
  const { id: accountId, email } = await admin.newAccount();
  const { db, seal } = admin.app;
  const [restoreHash, askedBy] = by === 'owner' ? [randomBytes(32), accountId] : [null, newId()];
  const [erasure] = await query<{ erasesAt: Date }>(
    db,
    `insert into erasure (id, account_id, asked_by_kind, asked_by, erases_at, restore_hash)
     values (?, ?, 'Account', ?, now() + interval '1 day', ?)
     returning erases_at as "erasesAt"`,
    [newId(), accountId, askedBy, restoreHash],
  );
  const ErasesAt = erasure?.erasesAt.toISOString() ?? '';
  const facts = { UserId: accountId, ErasesAt, ChangedBy: askedBy };
  const link = by === 'owner' ? { RestoreCode: 'x'.repeat(43) } : {};
  const content = { Email: email, Locale: 'en', ErasesAt, At: ErasesAt, ...link };
  const event = newMailEvent(seal, 'account.erasure-scheduled', facts, content);
  const fault = '550 no such mailbox';
  await mailDeliveries.record(db, { event, kind: 'erasure-scheduled', accountId, email, fault });
  return { id: event.id, accountId };
}
