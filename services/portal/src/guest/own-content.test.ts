import assert from 'node:assert/strict';
import { someEmail } from '@gatehouse/accounts/testing';
import { startPortal, type TestPortal } from '../testing/index.ts';

describe('shared content', () => {
  let portal: TestPortal;
  let owner: { id: string; email: string };
  let token: string;
  before(async () => {
    portal = await startPortal();
    owner = await portal.newAccount();
    ({ Token: token } = await portal.login(owner));
  });
  after(() => portal.stop());

  const share = (ContentDefinitionId: string, Emails: string[]) =>
    portal.post('/account/invite-user', token, { Emails, ContentDefinitionId }).expect(200);
  const list = async (who: string, search = '') =>
    (await portal.get(`/account/content${search}`, who).expect(200)).body;
  const members = async (id: string, search = '', who = token) =>
    (await portal.get(`/account/content/${id}/member${search}`, who).expect(200)).body;

  it('is listed for owner and members, each once, newest first', async () => {
    const friend = await portal.newAccount();
    const [older, newer] = [
      await portal.newContent(owner, { kind: 'Document', name: 'Plan' }),
      await portal.newContent(owner),
    ];
    await portal.newContent(friend, { name: 'Elsewhere' });
    await share(older, [friend.email]);
    const { Items } = await list(token);
    assert.deepEqual(
      Items.map(({ Id, Name, Kind, Relation }: Record<string, string>) => [Id, Name, Kind, Relation]),
      [
        [newer, 'The board meets', 'LiveChannel', 'Owner'],
        [older, 'Plan', 'Document', 'Owner'],
      ],
    );
    const { Token } = await portal.login(friend);
    const relations = (await list(Token)).Items.map((one: { Name: string; Relation: string }) => [
      one.Name,
      one.Relation,
    ]);
    assert.deepEqual(relations, [
      ['Elsewhere', 'Owner'],
      ['Plan', 'Access'],
    ]);
    const first = await list(token, '?limit=1');
    const second = await list(token, `?limit=1&cursor=${first.NextCursor}`);
    assert.deepEqual([first.Items[0].Id, second.Items[0].Id, second.NextCursor], [newer, older, undefined]);
  });

  it('is listed for guests, but not for static tokens', async () => {
    const guest = await portal.login(await portal.newAccount({ role: 'Guest' }));
    assert.deepEqual(await list(guest.Token), { Items: [] });
    await portal.get('/account/content', await portal.newToken()).expect(403);
    await portal.get('/account/content').expect(401);
  });

  it('shows members and invitations to its owner, paged, for any kind', async () => {
    const content = await portal.newContent(owner, { kind: 'Document' });
    const friend = await portal.newAccount({ displayName: 'Fred' });
    const stranger = someEmail();
    await share(content, [friend.email, stranger]);
    const { Items } = await members(content);
    const seen = Items.map(({ Email, DisplayName, Relation }: Record<string, string>) => [
      Email,
      DisplayName,
      Relation,
    ]);
    assert.deepEqual(
      new Set(seen.map((fields: string[]) => fields.join(' '))),
      new Set([
        `${owner.email} ${owner.email} Owner`,
        `${friend.email} Fred Access`,
        `${stranger} ${stranger} Pending`,
      ]),
    );
    const pages: string[] = [];
    let cursor = '';
    do {
      const page = await members(content, `?limit=1${cursor}`);
      pages.push(...page.Items.map(({ Email }: { Email: string }) => Email));
      cursor = page.NextCursor === undefined ? '' : `&cursor=${page.NextCursor}`;
    } while (cursor !== '');
    assert.deepEqual(
      pages,
      Items.map(({ Email }: { Email: string }) => Email),
    );
    const pending = await members(content, '?relation=pending');
    assert.deepEqual(
      pending.Items.map(({ Email }: { Email: string }) => Email),
      [stranger],
    );
  });
});
