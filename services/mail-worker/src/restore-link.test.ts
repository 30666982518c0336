import assert from 'node:assert/strict';
import { inTransaction, outbox, query } from '@gatehouse/db';
import { createSeal, newMailEvent } from '@gatehouse/events';
import { hashLongSecret, mailPublicKeyOf, NO_DEADLINE } from '@gatehouse/runtime';
import { eventually } from '@gatehouse/runtime/testing';
import { v7 as uuid } from 'uuid';
import { MAIL_KEY, startTestMailWorker, type TestMailWorker } from './testing/index.ts';

describe('the mail worker and links that take an erasure back', () => {
  let rig: TestMailWorker;
  before(async () => {
    rig = await startTestMailWorker();
    await rig.startWorker();
  });
  after(() => rig.close());

  /** Requests the erasure of an account, and optionally changes the request before its mail is published. */
  const wish = async (change?: string) => {
    const [accountId, restoreCode] = [uuid(), uuid()];
    const email = `${accountId}@example.com`;
    await query(rig.db, 'insert into account (id, email, email_key) values (?, ?, ?)', [
      accountId,
      email,
      email,
    ]);
    await query(
      rig.db,
      `insert into erasure (id, account_id, asked_by_kind, asked_by, erases_at, restore_hash)
       values (?, ?, 'Account', ?, now() + interval '1 day', ?)`,
      [uuid(), accountId, accountId, hashLongSecret(restoreCode)],
    );
    if (change !== undefined)
      await query(rig.db, `update erasure set ${change} where account_id = ?`, [accountId]);
    const moment = new Date().toISOString();
    const content = {
      Email: email,
      Locale: 'en',
      ErasesAt: moment,
      RestoreCode: restoreCode,
      At: moment,
    };
    const facts = { UserId: accountId, ErasesAt: moment };
    const seal = createSeal(mailPublicKeyOf(MAIL_KEY));
    const event = newMailEvent(seal, 'account.erasure-scheduled', facts, content);
    await inTransaction(rig.db, NO_DEADLINE, (tx) => outbox.add(tx, [event]));
    rig.wake();
    return { id: event.id, email };
  };
  const hasStatus = (id: string, status: string) =>
    eventually(async () => (await rig.delivery(id))['status'] === status);

  it('mails a link that works', async () => {
    const mail = await wish();
    await hasStatus(mail.id, 'Sent');
    assert.ok(rig.sink.mails.some(({ to }) => to.includes(mail.email)));
  });

  for (const [what, change] of [
    ['was used', 'restored_at = now(), restore_hash = null'],
    ['an administrator has voided', 'restore_hash = null'],
    ['comes too late, as the erasure has begun', `counts = '{}'`],
  ] as const) {
    it(`does not mail a link that ${what}`, async () => {
      const mail = await wish(change);
      await hasStatus(mail.id, 'Parked');
      assert.equal((await rig.delivery(mail.id))['last_error'], 'the restore link is no longer valid');
      assert.ok(!rig.sink.mails.some(({ to }) => to.includes(mail.email)));
    });
  }
});
