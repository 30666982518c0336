import assert from 'node:assert/strict';
import { acceptInvitation } from '@gatehouse/accounts';
import { atOnce, someEmail, invitationTokenIn, PASSWORD } from '@gatehouse/accounts/testing';
import { accounts, mailDeliveries, query } from '@gatehouse/db';
import { claimMail } from '@gatehouse/db/testing';
import { v7 as newId } from 'uuid';
import { cast, problem } from '../../testing/cast.ts';

const PATH = '/admin/invitation';

type Item = Record<'Id' | 'Email' | 'UserId' | 'InvitedAt' | 'ExpiresAt', string>;

describe('/admin/invitation', () => {
  const { administrator, app, boss, eventsOf, history, mailsTo, newContent, sql } = cast({});
  let owner: Awaited<ReturnType<typeof administrator>>;
  let content: string;
  beforeEach(async () => {
    owner = await administrator();
    content = await newContent(owner);
  });

  const read = async (filter: string) => (await boss.read(`${PATH}?${filter}`)).Items[0];
  const invite = async (email = someEmail(), to = content): Promise<Item> => {
    await owner.post(`/admin/content-definition/${to}/invite`, { Emails: [email] }).expect(200);
    return read(`email=${email}&contentDefinitionId=${to}`);
  };
  const resend = (id: string) => boss.post(`${PATH}/${id}/resend`);
  const remove = (id: string) => boss.delete(`${PATH}/${id}`);
  const expire = (id: string) => sql('update invitation set expires_at = now() where id = ?', [id]);
  const isExpired = async (id: string) => (await accounts.findById(app().db, id))?.isExpired;
  const linkTo = async (email: string) => invitationTokenIn(await mailsTo(email));
  const accept = (token: string) => {
    const origin = { traceId: 'x', dueAt: Infinity, address: '192.0.2.1' };
    return acceptInvitation(app(), { token, password: PASSWORD, displayName: 'Gus' }, origin);
  };
  const auditOf = (id: string) => history({ targetId: id }, 'action', 'details');

  it('shows who was invited to what, by whom, and the status of the mail', async () => {
    const email = someEmail();
    const item = await invite(email);
    const { Id, UserId, InvitedAt, ExpiresAt, ...rest } = item;
    assert.deepEqual(rest, {
      ...{ ContentDefinitionId: content, ContentName: 'The board meets', InvitedBy: owner.id },
      ...{ Email: email, AccessExpiresAt: null, MailStatus: 'Pending' },
    });
    assert.equal((await accounts.findById(app().db, UserId))?.email, email);
    assert.equal(Date.parse(ExpiresAt) - Date.parse(InvitedAt), 7 * 24 * 3600 * 1000);

    const statement =
      'select o.event from outbox o join invitation i on i.mail_event_id = o.id where i.id = ?';
    type Recorded = Parameters<typeof mailDeliveries.record>[1];
    const event = await query.onlyValue<Recorded['event']>(app().db, statement, [Id]);
    await mailDeliveries.record(app().db, { event, kind: 'invitation', accountId: UserId, email });
    assert.equal((await read(`email=${email}`)).MailStatus, 'Pending');
    const held = (await claimMail(app().db, event.id)) ?? assert.fail();
    await mailDeliveries.park(app().db, held, '550 no such mailbox');
    assert.equal((await read(`email=${email}`)).MailStatus, 'Parked');
  });

  it('lists pending ones, newest first, expired ones too, by content and email', async () => {
    const other = await newContent(owner);
    const email = someEmail();
    const [first, second, third] = [await invite(), await invite(email), await invite()];
    const elsewhere = await invite(email, other);
    await expire(first.Id);
    const deleted = await invite();
    await remove(deleted.Id).expect(204);
    const accepted = await invite();
    await accept(await linkTo(accepted.Email));
    const ids = (filter: string) => boss.ids(`${PATH}?${filter}`);
    assert.deepEqual(await ids(`contentDefinitionId=${content}`), [third.Id, second.Id, first.Id]);
    const shown = await ids(`email=${encodeURIComponent(email.toUpperCase())}`);
    assert.deepEqual(shown, [elsewhere.Id, second.Id]);
    assert.deepEqual(await ids(`email=${email}&contentDefinitionId=${content}`), [second.Id]);
    assert.deepEqual(await ids(`contentDefinitionId=${newId()}`), []);
    assert.deepEqual((await ids('')).slice(0, 4), [elsewhere.Id, third.Id, second.Id, first.Id]);
  });

  it('deletes one: its link no longer works, and a guest without content expires', async () => {
    const item = await invite();
    const link = await linkTo(item.Email);
    await remove(item.Id).expect(204, '');
    assert.deepEqual(await accept(link), { kind: 'invalid' });
    assert.equal(await isExpired(item.UserId), true);
    await remove(item.Id).expect(404);
    await resend(item.Id).expect(404);
    assert.equal((await eventsOf(item.UserId, 'guest.removed')).length, 1);
    const details = { UserId: item.UserId, ContentDefinitionId: content };
    assert.deepEqual(await auditOf(item.Id), [['invitation.deleted', details]]);
  });

  it('leaves a guest who is invited to other content pending', async () => {
    const email = someEmail();
    const item = await invite(email);
    await invite(email, await newContent(owner));
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

  it('resends one with a new link, which invalidates the older one and has the full lifetime', async () => {
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
    const details = { UserId: item.UserId, ContentDefinitionId: content };
    assert.deepEqual(await auditOf(item.Id), [['invitation.resent', details]]);
  });

  it('reactivates one that has expired, and its expired guest, when it is resent', async () => {
    const email = someEmail();
    const item = await invite(email);
    const other = await newContent(owner);
    await invite(email, other);
    await expire(item.Id);
    await boss.post(`/admin/content-definition/${other}/remove`, { UserId: item.UserId }).expect(200);
    assert.equal(await isExpired(item.UserId), true);
    await resend(item.Id).expect(200);
    assert.equal(await isExpired(item.UserId), false);
    assert.equal((await accept(await linkTo(email))).kind, 'accepted');
  });

  it('resends no link that would not work', async () => {
    const disabled = await invite();
    await sql('update account set is_disabled = true where id = ?', [disabled.UserId]);
    const orphaned = await invite();
    const mailed = (await mailsTo(orphaned.Email)).length;
    await owner.set('is_disabled = true');
    for (const { Id } of [disabled, orphaned]) {
      await resend(Id).expect(problem('conflict'));
      assert.deepEqual(await auditOf(Id), []);
    }
    assert.equal((await mailsTo(orphaned.Email)).length, mailed);
  });

  it('resends one five times an hour, and keeps the link beyond that', async () => {
    const item = await invite();
    for (let time = 0; time < 5; time += 1) await resend(item.Id).expect(200);
    const link = await linkTo(item.Email);
    const { headers } = await resend(item.Id).expect(problem('too_many_requests'));
    assert.ok(Number(headers['retry-after']) > 0);
    assert.equal((await mailsTo(item.Email)).length, 6);
    assert.equal((await auditOf(item.Id)).length, 5);
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

describe('POST /admin/invitation/bulk', () => {
  const { boss, history, invited: invitedTo, newContent, sql } = cast({});
  let content: string;
  beforeEach(async () => {
    content = await newContent();
  });

  const invited = async (isDisabled = false) => {
    const guest = await invitedTo(content, { hours: -1 });
    await guest.set(`is_disabled = ${isDisabled}`);
    return guest;
  };
  const bulk = async (Change: string, more: object = {}) =>
    (
      await boss
        .post(`${PATH}/bulk`, { Filter: { ContentDefinitionId: content }, Change, ...more })
        .expect(200)
    ).body;
  const pending = () => boss.ids(`${PATH}?contentDefinitionId=${content}`);

  it('deletes all matches, retires their guests, and records each', async () => {
    const guests = [await invited(), await invited(), await invited()];
    const other = await newContent();
    const none = await bulk('delete', { Filter: { ContentDefinitionId: other } });
    assert.deepEqual(none, { Count: 0, Skipped: 0 });
    assert.deepEqual(await bulk('Delete'), { Count: 3, Skipped: 0 });
    assert.deepEqual(await pending(), []);
    const deleted = await history({ action: 'invitation.deleted' }, 'targetId');
    assert.deepEqual(new Set(deleted), new Set(guests.map(({ invitationId }) => invitationId)));
    const statement = 'select 1 from account where id = any(cast(? as uuid[])) and expires_at <= now()';
    assert.equal((await sql(statement, [guests.map(({ id }) => id)])).length, 3);
    assert.deepEqual(await bulk('delete'), { Count: 0, Skipped: 0 });
  });

  it('resends all matches, and skips those whose link would not work', async () => {
    const guest = await invited();
    await invited(true);
    assert.deepEqual(await bulk('resend'), { Count: 1, Skipped: 1 });
    assert.equal(invitationTokenIn(await guest.mails()).length, 43);
    const alive = `contentDefinitionId=${content}&isExpired=false`;
    assert.deepEqual(await boss.ids(`${PATH}?${alive}`), [guest.invitationId]);
  });

  it('deletes each once with concurrent requests', async () => {
    for (let index = 0; index < 5; index += 1) await invited();
    const counts = await atOnce(4, async () => (await bulk('delete')).Count as number);
    const shown = counts.reduce((sum, count) => sum + count, 0);
    assert.equal(shown, 5);
  });

  it('refuses too many matches', async () => {
    const domain = `@${newId()}.example`;
    const statement = `with guests as (
         insert into account (id, email, email_key, role, signup)
         select gen_random_uuid(), n || :domain, n || :domain, 'Guest', 'invitation'
         from generate_series(1, 101) n
         returning id
       )
       insert into invitation (id, account_id, content_definition_id, token_hash, invited_email, expires_at)
       select gen_random_uuid(), id, :content, sha256(cast(cast(id as text) as bytea)), '', now()
       from guests`;
    await sql(statement, { domain, content });
    const body = { Filter: { ContentDefinitionId: content }, Change: 'resend' };
    await boss.post(`${PATH}/bulk`, body).expect(problem('conflict'));
    assert.deepEqual(await bulk('delete'), { Count: 101, Skipped: 0 });
  });
});
