import assert from 'node:assert/strict';
import { invitations, inTransaction, query } from '@gatehouse/db';
import { during } from '@gatehouse/db/testing';
import { createSeal, newMailEvent, type AnyEvent } from '@gatehouse/events';
import { hashLongSecret, mailPublicKeyOf, NO_DEADLINE } from '@gatehouse/runtime';
import { v7 as uuid } from 'uuid';
import { MAIL_KEY, startTestMailWorker } from './testing/index.ts';

const TOKEN = 'A'.repeat(43);
const seal = createSeal(mailPublicKeyOf(MAIL_KEY));

interface Mail {
  event: AnyEvent;
  email: string;
  accountId: string;
  /** Where the secret is kept. */
  table: string;
}

describe('the mail worker mails a secret only while it works', () => {
  const rig = during(startTestMailWorker);
  before(() => rig.startWorker());

  /** An account, as its id and its address, which is another one if its mail goes elsewhere. */
  const newAccount = async (prefix = '') => {
    const accountId = uuid();
    const email = `${accountId}@example.com`;
    const sql = 'insert into account (id, email, email_key) values (:accountId, :email, :email)';
    await query(rig.db, sql, { accountId, email: prefix + email });
    return { accountId, email, At: new Date().toISOString(), Code: uuid() };
  };

  const register = async (): Promise<Mail> => ({
    ...(await rig.send({ isPublished: false })),
    table: 'account_code',
  });

  const invite = async (): Promise<Mail> => {
    const [{ accountId, email }, contentDefinitionId, mailEventId] = [await newAccount(), uuid(), uuid()];
    await query(rig.db, `update account set role = 'Guest', signup = 'invitation' where id = ?`, [accountId]);
    const sql = "insert into content_definition (id, name, kind) values (?, 'News', 'Document')";
    await query(rig.db, sql, [contentDefinitionId]);
    const given = { id: uuid(), accountId, contentDefinitionId, invitedBy: undefined, mailEventId };
    const { expiresAt } = await inTransaction(rig.db, NO_DEADLINE, (tx) =>
      invitations.replace(tx, { ...given, tokenHash: Buffer.from(accountId), lifetimeSeconds: 600 }),
    );
    const link = { InvitationToken: TOKEN, InvitationExpiresAt: expiresAt.toISOString() };
    const content = { Email: email, Locale: 'en', ContentName: 'News', ...link };
    const facts = { UserId: accountId, InvitationId: uuid(), ContentDefinitionId: contentDefinitionId };
    const event = newMailEvent(seal, 'guest.invited', facts, content, { id: mailEventId });
    return { event, email, accountId, table: 'invitation' };
  };

  /** The erasure of an account, requested by its owner, who can take it back. */
  const erase = async (): Promise<Mail> => {
    const { accountId, email, At, Code } = await newAccount();
    const sql = `insert into erasure (id, account_id, asked_by_kind, asked_by, erases_at, restore_hash)
       values (gen_random_uuid(), ?, 'Account', ?, now() + interval '1 day', ?)`;
    await query(rig.db, sql, [accountId, accountId, hashLongSecret(Code)]);
    const content = { Email: email, Locale: 'en', ErasesAt: At, RestoreCode: Code, At };
    const facts = { UserId: accountId, ErasesAt: At };
    const event = newMailEvent(seal, 'account.erasure-scheduled', facts, content);
    return { event, email, accountId, table: 'erasure' };
  };

  /** A change of an account's email, which its former address can take back. */
  const changeEmail = async (): Promise<Mail> => {
    const { accountId, email, At, Code } = await newAccount('new.');
    const sql = `insert into email_change (token_hash, account_id, former_email, former_email_key, expires_at)
       values (?, ?, ?, ?, now() + interval '1 minute')`;
    await query(rig.db, sql, [hashLongSecret(Code), accountId, email, email]);
    const content = { Email: email, Locale: 'en', At, TakeBack: { Code, Until: At } };
    const event = newMailEvent(seal, 'account.email-changed', { UserId: accountId }, content);
    return { event, email, accountId, table: 'email_change' };
  };

  const ORDERS = { 'to an invitation': invite, 'to restore an account': erase, 'to take back': changeEmail };
  for (const [what, order] of Object.entries(ORDERS))
    it(`mails a link ${what}`, async () => {
      const { event, email } = await order();
      await rig.publish(event);
      await rig.hasStatus(event.id, 'Sent');
      const [sent] = rig.mailsTo(email);
      assert.ok(sent);
      const raw = sent.raw.replaceAll('=\r\n', '').replaceAll('=3D', '=');
      if (order === invite)
        assert.ok(raw.includes(`https://gatehouse.example/register-guest#InvitationToken=${TOKEN}`));
    });

  const CODE = /^the code is no longer valid$/;
  const INVITATION = /^the invitation is no longer valid$/;
  const RESTORE = /^the restore link is no longer valid$/;
  const TAKE_BACK = /^the take-back link is no longer valid$/;
  for (const [what, order, change, reason] of [
    ['a registration with a newer code', register, 'id = gen_random_uuid()', CODE],
    ['a registration whose code expired', register, 'expires_at = now()', CODE],
    ['an invitation that was revoked', invite, 'deleted_at = now()', INVITATION],
    ['an invitation that was accepted', invite, 'accepted_at = now()', INVITATION],
    ['an invitation that expired', invite, 'expires_at = now()', INVITATION],
    ['an invitation that has a newer link', invite, 'mail_event_id = gen_random_uuid()', INVITATION],
    ['an erasure that was taken back', erase, 'restored_at = now(), restore_hash = null', RESTORE],
    ['an erasure that an administrator has ordered', erase, 'restore_hash = null', RESTORE],
    ['an erasure that has begun', erase, `counts = '{}'`, RESTORE],
    ['a change of email that is final', changeEmail, `expires_at = now() - interval '1 second'`, TAKE_BACK],
  ] as const)
    it(`does not mail that of ${what}`, async () => {
      const { event, email, accountId, table } = await order();
      await query(rig.db, `update ${table} set ${change} where account_id = ?`, [accountId]);
      await rig.publish(event);
      assert.match(String((await rig.hasStatus(event.id, 'Parked'))['last_error']), reason);
      assert.deepEqual(rig.mailsTo(email), []);
    });
});
