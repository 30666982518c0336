import assert from 'node:assert/strict';
import { mailPublicKeyOf, NO_DEADLINE } from '@gatehouse/runtime';
import { guestAccounts, invitations, outbox, query, inTransaction } from '@gatehouse/db';
import { createSeal, newEvent, newMailEvent } from '@gatehouse/events';
import { eventually } from '@gatehouse/runtime/testing';
import { v7 as uuid } from 'uuid';
import { MAIL_KEY, startTestMailWorker, type TestMailWorker } from './testing/index.ts';

const TOKEN = 'A'.repeat(43);

describe('the mail worker and invitations', () => {
  let rig: TestMailWorker;
  before(async () => {
    rig = await startTestMailWorker();
    await rig.startWorker();
  });
  after(() => rig.close());

  /** Invites a person. The test can change the invitation before the event is published. */
  const invite = async (change?: string) => {
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
    const content = {
      Email: email,
      Locale: 'en',
      ContentName: 'News',
      InvitationToken: TOKEN,
      InvitationExpiresAt: expiresAt.toISOString(),
    };
    const eventData = {
      UserId: accountId,
      InvitationId: uuid(),
      ContentDefinitionId: contentDefinitionId,
    };
    const event = newMailEvent(createSeal(mailPublicKeyOf(MAIL_KEY)), 'guest.invited', eventData, content, {
      id: mailEventId,
    });
    if (change !== undefined) {
      await query(rig.db, `update invitation set ${change} where account_id = ?`, [accountId]);
    }
    await inTransaction(rig.db, NO_DEADLINE, (tx) => outbox.add(tx, [event]));
    rig.wake();
    return { id: mailEventId, email };
  };
  const hasStatus = (id: string, status: string) =>
    eventually(async () => (await rig.delivery(id))['status'] === status);

  it('mails the link', async () => {
    const mail = await invite();
    await hasStatus(mail.id, 'Sent');
    const [sent] = rig.sink.mails.filter(({ to }) => to.includes(mail.email));
    const raw = String(sent?.raw).replaceAll('=\r\n', '').replaceAll('=3D', '=');
    assert.ok(raw.includes(`https://gatehouse.example/register-guest#InvitationToken=${TOKEN}`));
  });

  for (const [what, change] of [
    ['was revoked', 'deleted_at = now()'],
    ['was accepted', 'accepted_at = now()'],
    ['expired', 'expires_at = now()'],
    ['has a newer link', `mail_event_id = gen_random_uuid()`],
  ] as const) {
    it(`does not mail the link of an invitation that ${what}`, async () => {
      const mail = await invite(change);
      await hasStatus(mail.id, 'Parked');
      assert.match(String((await rig.delivery(mail.id))['last_error']), /invitation is no longer valid/);
      assert.ok(!rig.sink.mails.some(({ to }) => to.includes(mail.email)));
    });
  }

  it('ignores an invitation event without a mail', async () => {
    const silent = newEvent('guest.invited', {
      UserId: uuid(),
      InvitationId: uuid(),
      ContentDefinitionId: uuid(),
    });
    await inTransaction(rig.db, NO_DEADLINE, (tx) => outbox.add(tx, [silent]));
    const next = await invite();
    await hasStatus(next.id, 'Sent');
    assert.deepEqual(await rig.delivery(silent.id), {});
    const dead = await rig.broker.take(rig.broker.topology.dead);
    assert.ok(!dead.some(({ properties }) => properties.messageId === silent.id));
  });
});
