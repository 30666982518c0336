import assert from 'node:assert/strict';
import { someEmail, invitationTokenIn } from '@gatehouse/accounts/testing';
import { accounts } from '@gatehouse/db';
import { fieldsOf } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { cast, problem } from '../../testing/cast.ts';

const PATH = '/admin/content-definition';

describe('/admin/content-definition', () => {
  const { boss, member } = cast({});

  it('adds, shows, changes and deletes content', async () => {
    const owner = await member();
    const given = { Name: 'News', Kind: 'LiveChannel', OwnerId: owner.id };
    const added = await boss.post(PATH, given).expect(201);
    const { Id } = added.body;
    assert.equal(added.headers['location'], `${PATH}/${Id}`);
    assert.deepEqual(added.body, { Id, ...given });
    const at = `${PATH}/${Id}`;
    await boss.get(at).expect(200, { Id, ...given });

    const changed = { Name: 'Old news', Kind: 'Recording' };
    await boss.put(at, changed).expect(200, { Id, ...changed, OwnerId: owner.id });
    const unowned = { Id, ...changed, OwnerId: null };
    await boss.put(at, { ...changed, OwnerId: null }).expect(200, unowned);
    await boss.put(at, unowned).expect(problem('invalid_request', '/Id'));
    await boss.get(at).expect(200, unowned);

    await boss.delete(at).expect(204, '');
    await boss.get(at).expect(problem('not_found'));
    await boss.delete(at).expect(404);
  });

  it('has no owner who is a guest', async () => {
    const { id: OwnerId } = await member({ role: 'Guest' });
    const given = { Name: 'x', Kind: 'Document', OwnerId };
    await boss.post(PATH, given).expect(problem('invalid_request', '/OwnerId'));
  });
});

describe('content search and members', () => {
  const { boss, grant, member, newContent, sql } = cast({});

  const ids = (search: string) => boss.ids(`${PATH}?${search}`);

  it('finds by part of the name, case-insensitively, by id, kind and owner', async () => {
    const owner = await member();
    const news = await newContent(owner, { name: 'Evening News 100%', kind: 'Recording' });
    const plan = await newContent(undefined, { name: 'Emergency plan', kind: 'Document' });
    assert.deepEqual(await ids('search=NEWS'), [news]);
    assert.deepEqual(await ids('search=e'), [plan, news]);
    assert.deepEqual(await ids(`search=${encodeURIComponent('100%')}`), [news]);
    assert.deepEqual(await ids(`search=${encodeURIComponent('1__%')}`), []);
    assert.deepEqual(await ids(`search=${plan.toUpperCase()}`), [plan]);
    assert.deepEqual(await ids('kind=recording'), [news]);
    assert.deepEqual(await ids(`ownerId=${owner.id}`), [news]);
    assert.deepEqual(await ids(`ownerId=${owner.id}&search=plan`), []);
    assert.equal((await boss.read(`${PATH}?search=news&count=true`)).Count, 1);
  });

  it('counts members and invitations in a list on request', async () => {
    const content = await newContent(undefined, { name: 'Counted talk' });
    const guest = await member({ role: 'Guest' });
    const expired = await member({ role: 'Guest' });
    for (const [accountId, expiresAt] of [
      [guest.id, null],
      [expired.id, new Date(Date.now() - 1000)],
    ] as const)
      await grant(content, accountId, { expiresAt });
    await boss.post(`${PATH}/${content}/invite`, { Emails: [someEmail(), someEmail()] }).expect(200);
    const counts = async (members: string) => {
      const body = await boss.read(`${PATH}?search=counted${members}`);
      const [{ AccessCount, PendingCount }] = body.Items;
      return [AccessCount, PendingCount];
    };
    assert.deepEqual(await counts('&members=true'), [1, 2]);
    assert.deepEqual(await counts(''), [undefined, undefined]);
    // At most a thousand are counted.
    const statement = `with people as (
         insert into account (id, email, email_key, role)
         select gen_random_uuid(), 'p' || n || '@counted.example', 'p' || n || '@counted.example', 'Guest'
         from generate_series(1, 1005) n
         returning id)
       insert into content_access (content_definition_id, account_id, invited_email) select ?, id, '' from people`;
    await sql(statement, [content]);
    assert.deepEqual(await counts('&members=true'), [1001, 2]);
  });

  it('returns the owner and the members', async () => {
    const owner = await member({ displayName: 'Olga' });
    const guest = await member({ role: 'Guest' });
    const content = await newContent(owner, { kind: 'Document' });
    const expiresAt = new Date(Date.now() + 3_600_000);
    await grant(content, guest.id, { grantedBy: owner.id, expiresAt });
    const { Items } = await boss.read(`${PATH}/${content}/member`);
    const [{ Since, ...first }, second] = Items;
    assert.ok(Math.abs(Date.parse(Since) - Date.now()) < 30_000);
    assert.deepEqual(first, {
      ...{ UserId: guest.id, Email: guest.email, DisplayName: null, IsGuest: true },
      ...{ Relation: 'Access', By: owner.id, ExpiresAt: expiresAt.toISOString() },
      ...{ InvitationId: null, LinkExpiresAt: null },
    });
    const shown = [second.UserId, second.DisplayName, second.Relation, second.By];
    assert.deepEqual(shown, [owner.id, 'Olga', 'Owner', null]);
    for (const [wanted, count] of [
      ['count=true&limit=1', 2],
      ['count=true&relation=access', 1],
      ['count=true&relation=Pending', 0],
    ] as const) {
      const body = await boss.read(`${PATH}/${content}/member?${wanted}`);
      assert.deepEqual([body.Count, body.CountIsExact], [count, true], wanted);
    }
  });
});

describe('GET /admin/account/{id}/content', () => {
  const { boss, grant: grantTo, member, newContent, sql } = cast();

  const pathOf = (id: string) => `/admin/account/${id}/content`;
  const grant = (content: string, accountId: string) => grantTo(content, accountId, { grantedBy: boss.id });
  const invite = (contentDefinitionId: string, accountId: string, more = '') =>
    sql(
      `insert into invitation (id, account_id, content_definition_id, token_hash, invited_by, invited_email, expires_at ${more && ', deleted_at'})
       values (?, ?, ?, ?, ?, '', now() - interval '1 day' ${more && ', now()'})`,
      [newId(), accountId, contentDefinitionId, Buffer.from(newId()), boss.id],
    );

  it('lists what the account owns, may see and is invited to, and nothing else', async () => {
    const [person, other] = [await member(), await member()];
    const owned = await newContent(person, { name: 'Owned', kind: 'Recording' });
    const shared = await newContent(other, { name: 'Shared' });
    const pending = await newContent(other, { name: 'Pending', kind: 'Document' });
    const deleted = await newContent(other, { name: 'Taken back' });
    await grant(shared, person.id);
    await grant(owned, person.id);
    await invite(pending, person.id);
    await invite(deleted, person.id, 'deleted');
    const body = await boss.read(`${pathOf(person.id)}?count=true`);
    for (const { Since } of body.Items) assert.ok(Math.abs(Date.parse(Since) - Date.now()) < 60_000);
    assert.deepEqual(fieldsOf(body.Items, 'ContentDefinitionId', 'Name', 'Kind', 'Relation', 'By'), [
      [pending, 'Pending', 'Document', 'Pending', boss.id],
      [shared, 'Shared', 'LiveChannel', 'Access', boss.id],
      [owned, 'Owned', 'Recording', 'Owner', null],
      [owned, 'Owned', 'Recording', 'Access', boss.id],
    ]);
    assert.deepEqual([body.Count, body.CountIsExact, body.NextCursor], [4, true, undefined]);
    assert.deepEqual(await boss.read(pathOf(boss.id)), { Items: [] });
  });

  it('is paged, also between two relations to the same content', async () => {
    const person = await member();
    for (let n = 0; n < 4; n += 1) await grant(await newContent(person), person.id);
    const all = (await boss.read(pathOf(person.id))).Items;
    assert.equal(all.length, 8);
    const paged: unknown[] = [];
    let cursor = '';
    do {
      const body = await boss.read(`${pathOf(person.id)}?limit=3${cursor}`);
      paged.push(...body.Items);
      cursor = body.NextCursor === undefined ? '' : `&cursor=${body.NextCursor}`;
    } while (cursor !== '');
    assert.deepEqual(paged, all);
  });
});

describe('sharing content as an administrator', () => {
  const { administrator, app, get, grant, history, login, mailsTo, member, newContent } = cast();
  let boss: Awaited<ReturnType<typeof administrator>>;
  let content: string;
  beforeEach(async () => {
    boss = await administrator();
    await boss.set(`display_name = 'Ada'`);
    content = await newContent(await member());
  });

  const at = (verb: 'invite' | 'remove', id = content) => `/admin/content-definition/${id}/${verb}`;
  const items = async (verb: 'invite' | 'remove', body: object) =>
    (await boss.post(at(verb), body).expect(200)).body.Items;
  const auditOf = (accountId: string) => history({ targetId: accountId }, 'action', 'actorId', 'details');

  it('invites new people by a link in the administrator’s name, and gives existing accounts access at once', async () => {
    const [stranger, friend] = [someEmail(), await member()];
    const Emails = [stranger, friend.email, stranger.toUpperCase()];
    const [first, second] = await items('invite', { Emails });
    assert.deepEqual([first.Email, first.Result], [stranger, 'Invited']);
    assert.deepEqual(second, { Email: friend.email, UserId: friend.id, Result: 'AccessGranted' });
    const mails = await mailsTo(stranger);
    assert.match(invitationTokenIn(mails), /^[A-Za-z0-9_-]{43}$/);
    assert.ok(mails[0] && 'InviterName' in mails[0].content && mails[0].content.InviterName === 'Ada');
    const again = await items('invite', { Emails: [stranger, friend.email] });
    assert.deepEqual(fieldsOf(again, 'Result'), ['Reinvited', 'AlreadyHasAccess']);
    const details = { ContentDefinitionId: content, Result: 'AccessGranted' };
    assert.deepEqual(await auditOf(friend.id), [['user.invited', boss.id, details]]);
  });

  it('revokes access and invitations, by id or by address, and ends the sessions of guests', async () => {
    const guest = await member({ role: 'Guest' });
    await grant(content, guest.id);
    const session = await login(guest);
    const invited = someEmail();
    const [{ UserId }] = await items('invite', { Emails: [invited] });
    const nobody = someEmail();
    assert.deepEqual(await items('remove', { Emails: [invited, nobody] }), [
      { UserId, Email: invited, Result: 'InvitationDeleted' },
      { Email: nobody, Result: 'NoAccess' },
    ]);
    const revoked = { UserId: guest.id, Email: guest.email, Result: 'AccessRevoked' };
    assert.deepEqual(await items('remove', { UserId: guest.id }), [revoked]);
    assert.deepEqual(await items('remove', { UserId: guest.id }), [{ UserId: guest.id, Result: 'NoAccess' }]);
    await get('/admin/content-definition', session).expect(problem('invite_deleted'));
    assert.equal((await accounts.findById(app().db, guest.id))?.isExpired, true);
    const details = { ContentDefinitionId: content, Result: 'AccessRevoked' };
    assert.deepEqual((await auditOf(guest.id))[0], ['user.removed', boss.id, details]);
  });

  it('gives access with an expiry, also to members who have access already', async () => {
    const friend = await member();
    const ExpiresAt = new Date(Date.now() + 3_600_000).toISOString();
    await items('invite', { Emails: [friend.email] });
    const [{ Result }] = await items('invite', { Emails: [friend.email], ExpiresAt });
    assert.equal(Result, 'AlreadyHasAccess');
    const { Items } = await boss.read(`/admin/content-definition/${content}/member?relation=access`);
    assert.equal(Items[0].ExpiresAt, ExpiresAt);
  });
});
