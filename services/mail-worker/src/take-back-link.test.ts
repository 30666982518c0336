import assert from 'node:assert/strict';
import { inTransaction, outbox, query } from '@gatehouse/db';
import { createSeal, newMailEvent } from '@gatehouse/events';
import { hashLongSecret, mailPublicKeyOf, NO_DEADLINE } from '@gatehouse/runtime';
import { eventually } from '@gatehouse/runtime/testing';
import { v7 as uuid } from 'uuid';
import { MAIL_KEY, startTestMailWorker, type TestMailWorker } from './testing/index.ts';

describe('the mail worker and links that take back a change of email', () => {
  let rig: TestMailWorker;
  before(async () => {
    rig = await startTestMailWorker();
    await rig.startWorker();
  });
  after(() => rig.close());

  /** Changes an account's email, and publishes the mail to the former address when the link lives this long. */
  const change = async (lifetime: string) => {
    const [accountId, Code] = [uuid(), uuid()];
    const Email = `${accountId}@example.com`;
    await query(rig.db, 'insert into account (id, email, email_key) values (?, ?, ?)', [
      accountId,
      `new.${Email}`,
      `new.${Email}`,
    ]);
    await query(
      rig.db,
      `insert into email_change (token_hash, account_id, former_email, former_email_key, expires_at)
       values (?, ?, ?, ?, now() + cast(? as interval))`,
      [hashLongSecret(Code), accountId, Email, Email, lifetime],
    );
    const At = new Date().toISOString();
    const content = { Email, Locale: 'en', At, TakeBack: { Code, Until: At } };
    const seal = createSeal(mailPublicKeyOf(MAIL_KEY));
    const event = newMailEvent(seal, 'account.email-changed', { UserId: accountId }, content);
    await inTransaction(rig.db, NO_DEADLINE, (tx) => outbox.add(tx, [event]));
    rig.wake();
    return { id: event.id, isMailed: () => rig.sink.mails.some(({ to }) => to.includes(Email)) };
  };
  const hasStatus = (id: string, status: string) =>
    eventually(async () => (await rig.delivery(id))['status'] === status);

  it('mails a link that works', async () => {
    const mail = await change('1 minute');
    await hasStatus(mail.id, 'Sent');
    assert.ok(mail.isMailed());
  });

  it('does not mail a link that has expired', async () => {
    const mail = await change('-1 second');
    await hasStatus(mail.id, 'Parked');
    assert.equal((await rig.delivery(mail.id))['last_error'], 'the take-back link is no longer valid');
    assert.ok(!mail.isMailed());
  });
});
