import assert from 'node:assert/strict';
import { someEmail } from '@gatehouse/accounts/testing';
import { accounts, mailDeliveries } from '@gatehouse/db';
import { claimMail } from '@gatehouse/db/testing';
import { v7 as newId } from 'uuid';
import { PATH, useInvitations, type Item } from './testing/invitations.ts';

describe('/admin/invitation', () => {
  const { at, sql, invite, list, linkTo, accept, resend, remove, expire, isExpired, audited } =
    useInvitations();

  it('shows who was invited to what, by whom, and the status of the mail', async () => {
    const email = someEmail();
    const item = await invite(email);
    const { Id, UserId, InvitedAt, ExpiresAt, ...rest } = item as Item & { InvitedAt: string };
    assert.deepEqual(rest, {
      Email: email,
      ContentDefinitionId: at.content,
      ContentName: 'The board meets',
      InvitedBy: at.owner.id,
      AccessExpiresAt: null,
      MailStatus: 'Pending',
    });
    assert.equal((await accounts.findById(at.admin.app.db, UserId))?.email, email);
    assert.equal(Date.parse(ExpiresAt) - Date.parse(InvitedAt), 7 * 24 * 3600 * 1000);

    const [row] = await sql(
      'select o.event from outbox o join invitation i on i.mail_event_id = o.id where i.id = ?',
      [Id],
    );
    const event = row?.['event'] as Parameters<typeof mailDeliveries.record>[1]['event']; // as it was put in
    const mail = { event, kind: 'invitation', accountId: UserId, email } as const;
    await mailDeliveries.record(at.admin.app.db, mail);
    assert.equal((await list(`email=${email}`)).Items[0]?.MailStatus, 'Pending');
    const held = await claimMail(at.admin.app.db, event.id);
    assert.ok(held);
    await mailDeliveries.park(at.admin.app.db, held, '550 no such mailbox');
    assert.equal((await list(`email=${email}`)).Items[0]?.MailStatus, 'Parked');
  });

  it('lists pending ones, newest first, expired ones too, by content and email', async () => {
    const other = await at.admin.newContent(at.owner);
    const email = someEmail();
    const [first, second, third] = [await invite(), await invite(email), await invite()];
    const elsewhere = await invite(email, other);
    await expire(first.Id);
    const deleted = await invite();
    await remove(deleted.Id).expect(204);
    const accepted = await invite();
    await accept(await linkTo(accepted.Email));
    const ids = async (filter: string) => (await list(filter)).Items.map(({ Id }) => Id);
    assert.deepEqual(await ids(`contentDefinitionId=${at.content}`), [third.Id, second.Id, first.Id]);
    assert.deepEqual(await ids(`email=${encodeURIComponent(email.toUpperCase())}`), [
      elsewhere.Id,
      second.Id,
    ]);
    assert.deepEqual(await ids(`email=${email}&contentDefinitionId=${at.content}`), [second.Id]);
    assert.deepEqual(await ids(`contentDefinitionId=${newId()}`), []);
    assert.deepEqual((await ids('')).slice(0, 4), [elsewhere.Id, third.Id, second.Id, first.Id]);

    const page = await list(`contentDefinitionId=${at.content}&limit=2`);
    assert.deepEqual(
      page.Items.map(({ Id }) => Id),
      [third.Id, second.Id],
    );
    const rest = await list(`contentDefinitionId=${at.content}&limit=2&cursor=${page.NextCursor}`);
    assert.deepEqual([rest.Items.map(({ Id }) => Id), rest.NextCursor], [[first.Id], undefined]);
  });

  for (const filter of ['contentDefinitionId=x', 'contentDefinitionId=', 'email=x', 'limit=0', 'cursor=x']) {
    it(`refuses ?${filter}`, async () => {
      const { body } = await at.admin.get(`${PATH}?${filter}`, at.token).expect(400);
      assert.equal(body.errors[0].pointer, `/query/${filter.split('=')[0]}`);
    });
  }

  it('deletes one: its link no longer works, and a guest without content expires', async () => {
    const item = await invite();
    const link = await linkTo(item.Email);
    await remove(item.Id).expect(204, '');
    assert.deepEqual(await accept(link), { kind: 'invalid' });
    assert.equal(await isExpired(item.UserId), true);
    await remove(item.Id).expect(404);
    await resend(item.Id).expect(404);
    const events = await sql("select event -> 'data' as data from outbox where type = 'guest.removed'");
    assert.ok(events.some(({ data }) => (data as { UserId: string }).UserId === item.UserId));
    const details = { UserId: item.UserId, ContentDefinitionId: at.content };
    assert.deepEqual(await audited(item.Id), [{ action: 'invitation.deleted', details }]);
  });

  it('leaves a guest who is invited to other content pending', async () => {
    const email = someEmail();
    const item = await invite(email);
    await invite(email, await at.admin.newContent(at.owner));
    await remove(item.Id).expect(204);
    assert.equal(await isExpired(item.UserId), false);
    assert.equal((await accept(await linkTo(email))).kind, 'accepted');
  });

  it('lets exactly one win when a guest registers while administrators delete', async () => {
    for (let round = 0; round < 6; round += 1) {
      const item = await invite();
      const link = await linkTo(item.Email);
      const [accepted, ...deleted] = await Promise.all([accept(link), remove(item.Id), remove(item.Id)]);
      const wins = [accepted.kind === 'accepted', ...deleted.map(({ status }) => status === 204)];
      assert.equal(wins.filter(Boolean).length, 1);
      assert.equal(await isExpired(item.UserId), wins[0] === false);
    }
  });

  it('responds with 404 for an unknown id', async () => {
    await remove(newId()).expect(404);
    await resend(newId()).expect(404);
    await remove('x').expect(400);
    await resend('x').expect(400);
  });
});
