import assert from 'node:assert/strict';
import { guestAccounts, invitations, inTransaction, query } from '@gatehouse/db';
import { createSeal, newMailEvent, type AnyEvent } from '@gatehouse/events';
import { hashLongSecret, mailPublicKeyOf, NO_DEADLINE } from '@gatehouse/runtime';
import { v7 as uuid } from 'uuid';
import { MAIL_KEY, startTestMailWorker, type TestMailWorker } from './testing/index.ts';

const TOKEN = 'A'.repeat(43);
const seal = createSeal(mailPublicKeyOf(MAIL_KEY));

interface Mail {
  event: AnyEvent;
  email: string;
}

describe('the mail worker mails a link only while it works', () => {
  let rig: TestMailWorker;
  before(async () => {
    rig = await startTestMailWorker();
    await rig.startWorker();
  });
  after(() => rig.close());

  const newAccount = async (id: string, email: string) =>
    void (await query(rig.db, 'insert into account (id, email, email_key) values (?, ?, ?)', [
      id,
      email,
      email,
    ]));

  /** An invitation of a guest. */
  const invite = async (change?: string): Promise<Mail> => {
    const [accountId, contentDefinitionId, mailEventId] = [uuid(), uuid(), uuid()];
    const email = `${accountId}@example.com`;
    await inTransaction(rig.db, NO_DEADLINE, (tx) =>
      guestAccounts.lockOrInsert(tx, [{ id: accountId, email, emailKey: email, locale: 'en' }]),
    );
    await query(rig.db, "insert into content_definition (id, name, kind) values (?, 'News', 'Document')", [
      contentDefinitionId,
    ]);
    const { expiresAt } = await inTransaction(rig.db, NO_DEADLINE, (tx) =>
      invitations.replace(tx, {
        id: uuid(),
        accountId,
        contentDefinitionId,
        tokenHash: Buffer.from(accountId),
        invitedBy: undefined,
        lifetimeSeconds: 600,
        mailEventId,
      }),
    );
    if (change !== undefined)
      await query(rig.db, `update invitation set ${change} where account_id = ?`, [accountId]);
    const InvitationExpiresAt = expiresAt.toISOString();
    const link = { InvitationToken: TOKEN, InvitationExpiresAt };
    const content = { Email: email, Locale: 'en', ContentName: 'News', ...link };
    const facts = { UserId: accountId, InvitationId: uuid(), ContentDefinitionId: contentDefinitionId };
    return { event: newMailEvent(seal, 'guest.invited', facts, content, { id: mailEventId }), email };
  };

  /** The erasure of an account, requested by its owner, who can take it back. */
  const erase = async (change?: string): Promise<Mail> => {
    const [accountId, RestoreCode] = [uuid(), uuid()];
    const email = `${accountId}@example.com`;
    await newAccount(accountId, email);
    await query(
      rig.db,
      `insert into erasure (id, account_id, asked_by_kind, asked_by, erases_at, restore_hash)
       values (?, ?, 'Account', ?, now() + interval '1 day', ?)`,
      [uuid(), accountId, accountId, hashLongSecret(RestoreCode)],
    );
    if (change !== undefined)
      await query(rig.db, `update erasure set ${change} where account_id = ?`, [accountId]);
    const ErasesAt = new Date().toISOString();
    const content = { Email: email, Locale: 'en', ErasesAt, RestoreCode, At: ErasesAt };
    const facts = { UserId: accountId, ErasesAt };
    return { event: newMailEvent(seal, 'account.erasure-scheduled', facts, content), email };
  };

  /** A change of an account's email, which its former address can take back. */
  const changeEmail = async (change?: string): Promise<Mail> => {
    const [accountId, Code] = [uuid(), uuid()];
    const email = `${accountId}@example.com`;
    await newAccount(accountId, `new.${email}`);
    await query(
      rig.db,
      `insert into email_change (token_hash, account_id, former_email, former_email_key, expires_at)
       values (?, ?, ?, ?, now() + interval '1 minute')`,
      [hashLongSecret(Code), accountId, email, email],
    );
    if (change !== undefined)
      await query(rig.db, `update email_change set ${change} where account_id = ?`, [accountId]);
    const At = new Date().toISOString();
    const content = { Email: email, Locale: 'en', At, TakeBack: { Code, Until: At } };
    return { event: newMailEvent(seal, 'account.email-changed', { UserId: accountId }, content), email };
  };

  const ORDERS = { 'to an invitation': invite, 'to restore an account': erase, 'to take back': changeEmail };
  for (const [what, order] of Object.entries(ORDERS))
    it(`mails one ${what}`, async () => {
      const { event, email } = await order();
      await rig.publish(event);
      await rig.hasStatus(event.id, 'Sent');
      const [sent] = rig.mailsTo(email);
      assert.ok(sent);
      const raw = sent.raw.replaceAll('=\r\n', '').replaceAll('=3D', '=');
      if (order === invite)
        assert.ok(raw.includes(`https://gatehouse.example/register-guest#InvitationToken=${TOKEN}`));
    });

  for (const [what, order, change, reason] of [
    ['an invitation that was revoked', invite, 'deleted_at = now()', /invitation is no longer valid/],
    ['an invitation that was accepted', invite, 'accepted_at = now()', /invitation is no longer valid/],
    ['an invitation that expired', invite, 'expires_at = now()', /invitation is no longer valid/],
    [
      'an invitation that has a newer link',
      invite,
      'mail_event_id = gen_random_uuid()',
      /invitation is no longer valid/,
    ],
    [
      'an erasure that was taken back',
      erase,
      'restored_at = now(), restore_hash = null',
      /^the restore link is no longer valid$/,
    ],
    [
      'an erasure that an administrator has ordered',
      erase,
      'restore_hash = null',
      /^the restore link is no longer valid$/,
    ],
    ['an erasure that has begun', erase, `counts = '{}'`, /^the restore link is no longer valid$/],
    [
      'a change of email that is final',
      changeEmail,
      `expires_at = now() - interval '1 second'`,
      /^the take-back link is no longer valid$/,
    ],
  ] as const)
    it(`does not mail that of ${what}`, async () => {
      const { event, email } = await order(change);
      await rig.publish(event);
      assert.match(String((await rig.hasStatus(event.id, 'Parked'))['last_error']), reason);
      assert.deepEqual(rig.mailsTo(email), []);
    });
});
