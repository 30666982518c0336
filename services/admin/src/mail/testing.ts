import assert from 'node:assert/strict';
import { mailCode } from '@gatehouse/accounts';
import { someEmail } from '@gatehouse/accounts/testing';
import { accounts, inTransaction, mailDeliveries, query } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import type { TestAdmin } from '../testing/index.ts';

/** Records the mail of a verification code like the mail worker. */
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
  const hold = await mailDeliveries.record(db, mail, 15);
  assert.ok(hold);
  return { id, event: row.event, accountId: person.id, email, hold };
}
