import assert from 'node:assert/strict';
import { removeAccess, acceptInvitation, inviteUsers } from '@gatehouse/accounts';
import { someEmail, invitationTokenIn, PASSWORD, unexpected } from '@gatehouse/accounts/testing';
import { accounts, mailDeliveries, contentDefinitions, query } from '@gatehouse/db';
import { claimMail } from '@gatehouse/db/testing';
import { v7 as newId } from 'uuid';
import { cast } from '../../testing/cast.ts';

const PATH = '/admin/invitation';

describe('/admin/invitation', () => {
  const { app, at, audited, boss, expire, isExpired, newContent, sql, ...its } = useInvitations();
  const { accept, invite, linkTo, list, remove, resend } = its;

  it('shows who was invited to what, by whom, and the status of the mail', async () => {
    const email = someEmail();
    const item = await invite(email);
    const { Id, UserId, InvitedAt, ExpiresAt, ...rest } = item as Item & { InvitedAt: string };
    assert.deepEqual(rest, {
      ...{ ContentDefinitionId: at.content, ContentName: 'The board meets', InvitedBy: at.owner.id },
      ...{ Email: email, AccessExpiresAt: null, MailStatus: 'Pending' },
    });
    assert.equal((await accounts.findById(app().db, UserId))?.email, email);
    assert.equal(Date.parse(ExpiresAt) - Date.parse(InvitedAt), 7 * 24 * 3600 * 1000);

    const statement =
      'select o.event from outbox o join invitation i on i.mail_event_id = o.id where i.id = ?';
    type Recorded = Parameters<typeof mailDeliveries.record>[1];
    const event = await query.onlyValue<Recorded['event']>(app().db, statement, [Id]);
    await mailDeliveries.record(app().db, { event, kind: 'invitation', accountId: UserId, email });
    assert.equal((await list(`email=${email}`)).Items[0]?.MailStatus, 'Pending');
    const held = (await claimMail(app().db, event.id)) ?? assert.fail();
    await mailDeliveries.park(app().db, held, '550 no such mailbox');
    assert.equal((await list(`email=${email}`)).Items[0]?.MailStatus, 'Parked');
  });

  it('lists pending ones, newest first, expired ones too, by content and email', async () => {
    const other = await newContent(at.owner);
    const email = someEmail();
    const [first, second, third] = [await invite(), await invite(email), await invite()];
    const elsewhere = await invite(email, other);
    await expire(first.Id);
    const deleted = await invite();
    await remove(deleted.Id).expect(204);
    const accepted = await invite();
    await accept(await linkTo(accepted.Email));
    const ids = (filter: string) => boss.ids(`${PATH}?${filter}`);
    assert.deepEqual(await ids(`contentDefinitionId=${at.content}`), [third.Id, second.Id, first.Id]);
    const shown = await ids(`email=${encodeURIComponent(email.toUpperCase())}`);
    assert.deepEqual(shown, [elsewhere.Id, second.Id]);
    assert.deepEqual(await ids(`email=${email}&contentDefinitionId=${at.content}`), [second.Id]);
    assert.deepEqual(await ids(`contentDefinitionId=${newId()}`), []);
    assert.deepEqual((await ids('')).slice(0, 4), [elsewhere.Id, third.Id, second.Id, first.Id]);

    const pages = await boss.pages(`${PATH}?contentDefinitionId=${at.content}&limit=2`);
    assert.deepEqual(pages, [[third.Id, second.Id], [first.Id]]);
  });

  it('deletes one: its link no longer works, and a guest without content expires', async () => {
    const item = await invite();
    const link = await linkTo(item.Email);
    await remove(item.Id).expect(204, '');
    assert.deepEqual(await accept(link), { kind: 'invalid' });
    assert.equal(await isExpired(item.UserId), true);
    await remove(item.Id).expect(404);
    await resend(item.Id).expect(404);
    const events = await sql<{ data: { UserId: string } }>(
      "select event -> 'data' as data from outbox where type = 'guest.removed'",
    );
    assert.ok(events.some(({ data }) => data.UserId === item.UserId));
    const details = { UserId: item.UserId, ContentDefinitionId: at.content };
    assert.deepEqual(await audited(item.Id), [{ action: 'invitation.deleted', details }]);
  });

  it('leaves a guest who is invited to other content pending', async () => {
    const email = someEmail();
    const item = await invite(email);
    await invite(email, await newContent(at.owner));
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
});

describe('POST /admin/invitation/{id}/resend', () => {
  const { app, at, audited, expire, isExpired, mailsTo, newContent, sql, ...its } = useInvitations();
  const { accept, invite, linkTo, remove, resend, sharingOf } = its;

  it('mails a new link that invalidates the older one and has the full lifetime', async () => {
    const item = await invite();
    const older = await linkTo(item.Email);
    await sql("update invitation set expires_at = now() + interval '1 hour' where id = ?", [item.Id]);
    const { body } = await resend(item.Id).expect(200);
    const { ExpiresAt, ...rest } = body;
    const { ExpiresAt: _before, ...before } = item;
    assert.deepEqual(rest, before);
    assert.ok(Date.parse(ExpiresAt) > Date.now() + 6.9 * 24 * 3600 * 1000);
    const newer = await linkTo(item.Email);
    assert.notEqual(newer, older);
    assert.deepEqual(await accept(older), { kind: 'invalid' });
    assert.equal((await accept(newer)).kind, 'accepted');
    await resend(item.Id).expect(404);
    await remove(item.Id).expect(404);
    const details = { UserId: item.UserId, ContentDefinitionId: at.content };
    assert.deepEqual(await audited(item.Id), [{ action: 'invitation.resent', details }]);
  });

  it('reactivates an expired invitation and its expired guest', async () => {
    const email = someEmail();
    const item = await invite(email);
    const other = await newContent(at.owner);
    await invite(email, other);
    await expire(item.Id);
    const sharing = await sharingOf(other);
    await removeAccess(
      app(),
      { ...sharing, actor: { kind: 'System' }, from: { by: 'id', id: item.UserId } },
      { traceId: 'x', dueAt: Infinity },
    );
    assert.equal(await isExpired(item.UserId), true);
    await resend(item.Id).expect(200);
    assert.equal(await isExpired(item.UserId), false);
    assert.equal((await accept(await linkTo(email))).kind, 'accepted');
  });

  it('does not mail a link that would not work', async () => {
    const disabled = await invite();
    await sql('update account set is_disabled = true where id = ?', [disabled.UserId]);
    const orphaned = await invite();
    const mailed = (await mailsTo(orphaned.Email)).length;
    await sql('update account set is_disabled = true where id = ?', [at.owner.id]);
    for (const { Id } of [disabled, orphaned]) {
      assert.equal((await resend(Id).expect(409)).body.code, 'conflict');
      assert.deepEqual(await audited(Id), []);
    }
    assert.equal((await mailsTo(orphaned.Email)).length, mailed);
  });

  it('is limited per address and hour, and keeps the link beyond that', async () => {
    const item = await invite();
    for (let time = 0; time < 5; time += 1) await resend(item.Id).expect(200);
    const link = await linkTo(item.Email);
    const { headers, body } = await resend(item.Id).expect(429);
    assert.equal(body.code, 'too_many_requests');
    assert.ok(Number(headers['retry-after']) > 0);
    assert.equal((await mailsTo(item.Email)).length, 6);
    assert.equal((await audited(item.Id)).length, 5);
    assert.equal((await accept(link)).kind, 'accepted');
  });

  it('lets exactly one win when a guest registers while an administrator resends', async () => {
    for (let round = 0; round < 6; round += 1) {
      const item = await invite();
      const link = await linkTo(item.Email);
      const [accepted, resent] = await Promise.all([accept(link), resend(item.Id)]);
      const wins = [accepted.kind === 'accepted', resent.status === 200];
      assert.equal(wins.filter(Boolean).length, 1);
      if (wins[0] === false) assert.equal((await accept(await linkTo(item.Email))).kind, 'accepted');
    }
  });
});

describe('GET /admin/invitation, and one of them', () => {
  const { boss, invited: invitedTo, member, newContent, sql } = cast({});

  const invited = async (by: string | null = null, hours = 1): Promise<string> =>
    (await invitedTo(await newContent(), { by, hours })).invitationId;
  const ids = (search: string) => boss.ids(`/admin/invitation?${search}`);

  it('filters by inviter, and by whether the link has expired', async () => {
    const inviter = await member();
    const alive = await invited(inviter.id, 1);
    const expired = await invited(inviter.id, -1);
    const other = await invited(null, -1);
    assert.deepEqual(await ids(`invitedBy=${inviter.id}`), [expired, alive]);
    assert.deepEqual(await ids(`invitedBy=${inviter.id}&isExpired=false`), [alive]);
    assert.deepEqual(await ids('isExpired=true'), [other, expired]);
    assert.deepEqual(await ids('isExpired=false'), [alive]);
    assert.equal((await boss.read('/admin/invitation?isExpired=true&count=true')).Count, 2);
  });

  it('filters by id, also for a bulk change', async () => {
    const [one, other] = [await invited(), await invited()];
    assert.deepEqual(await ids(`id=${one}`), [one]);
    assert.deepEqual(await ids(`id=${newId()}`), []);
    const body = { Filter: { Id: one }, Change: 'delete' };
    assert.equal((await boss.post('/admin/invitation/bulk', body).expect(200)).body.Count, 1);
    assert.deepEqual([await ids(`id=${one}`), await ids(`id=${other}`)], [[], [other]]);
  });

  for (const ended of [undefined, 'accepted_at', 'deleted_at'] as const)
    it(`returns an invitation, also one that the list does not have: ${ended ?? 'pending'}`, async () => {
      const id = await invited();
      if (ended !== undefined) await sql(`update invitation set ${ended} = now() where id = ?`, [id]);
      const body = await boss.read(`/admin/invitation/${id}`);
      assert.deepEqual([body.Id, body.Email], [id, (await boss.read(`/admin/account/${body.UserId}`)).Email]);
      assert.equal(body.AcceptedAt !== null, ended === 'accepted_at');
      assert.equal(body.DeletedAt !== null, ended === 'deleted_at');
      assert.ok(!JSON.stringify(body).toLowerCase().includes('token'));
      assert.equal((await boss.read(`/admin/invitation?id=${id}`)).Items.length, ended === undefined ? 1 : 0);
    });
});

interface Item {
  Id: string;
  Email: string;
  UserId: string;
  ContentDefinitionId: string;
  ExpiresAt: string;
  MailStatus: string | null;
}

/** Admin, and in each test new content of a new owner, whom `at` holds. */
function useInvitations() {
  const its = cast({});
  const { app, boss, newContent, sql } = its;
  const at = {} as { owner: Awaited<ReturnType<typeof its.member>>; content: string }; // filled before each test
  beforeEach(async () => {
    at.owner = await its.member({ displayName: 'Olga' });
    at.content = await newContent(at.owner);
  });

  const sharingOf = async (id: string) => {
    const found = await contentDefinitions.findById(app().db, id);
    const account = await accounts.findById(app().db, at.owner.id);
    assert.ok(found && account);
    return { content: found, sharer: { id: account.id, account } };
  };
  const list = (filter: string): Promise<{ Items: Item[] }> => boss.read(`${PATH}?${filter}`);
  const invite = async (email = someEmail(), to = at.content): Promise<Item> => {
    const sharing = await sharingOf(to);
    const emails = new Map([[email, email]]);
    const actor = { kind: 'System' } as const;
    const origin = { traceId: 'x', dueAt: Infinity };
    await inviteUsers(app(), { ...sharing, emails, actor }, origin, unexpected);
    const { Items } = await list(`email=${email}&contentDefinitionId=${to}`);
    assert.ok(Items[0]);
    return Items[0];
  };
  return {
    ...its,
    at,
    sharingOf,
    list,
    invite,
    /** The secret of the newest link that was mailed to somebody. */
    linkTo: async (email: string) => invitationTokenIn(await its.mailsTo(email)),
    accept: (link: string) =>
      acceptInvitation(
        app(),
        { token: link, password: PASSWORD, displayName: 'Gus' },
        { traceId: 'x', dueAt: Infinity, address: '192.0.2.1' },
      ),
    resend: (id: string) => boss.post(`${PATH}/${id}/resend`),
    remove: (id: string) => boss.delete(`${PATH}/${id}`),
    expire: (id: string) => sql('update invitation set expires_at = now() where id = ?', [id]),
    isExpired: async (id: string) => (await accounts.findById(app().db, id))?.isExpired,
    audited: (id: string) => sql('select action, details from audit where target_id = ? order by id', [id]),
  };
}
