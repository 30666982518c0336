import assert from 'node:assert/strict';
import { someEmail } from '@gatehouse/accounts/testing';
import { cast } from '../testing/cast.ts';

describe('shared content', () => {
  const { get, login, member, newContent, post, someone } = cast();
  let olga: Awaited<ReturnType<typeof someone>>;
  before(async () => {
    olga = await someone();
  });

  const share = (ContentDefinitionId: string, Emails: string[]) =>
    post('/account/invite-user', olga, { Emails, ContentDefinitionId }).expect(200);
  const list = async (who: string, search = '') =>
    (await get(`/account/content${search}`, who).expect(200)).body;
  const members = async (id: string, search = '', who = olga.Token) =>
    (await get(`/account/content/${id}/member${search}`, who).expect(200)).body;

  it('is listed for owner and members, each once, newest first', async () => {
    const friend = await member();
    const [older, newer] = [
      await newContent(olga, { kind: 'Document', name: 'Plan' }),
      await newContent(olga),
    ];
    await newContent(friend, { name: 'Elsewhere' });
    await share(older, [friend.email]);
    const { Items } = await list(olga.Token);
    assert.deepEqual(
      Items.map(({ Id, Name, Kind, Relation }: Record<string, string>) => [Id, Name, Kind, Relation]),
      [
        [newer, 'The board meets', 'LiveChannel', 'Owner'],
        [older, 'Plan', 'Document', 'Owner'],
      ],
    );
    const { Token } = await login(friend);
    const relations = (await list(Token)).Items.map((one: { Name: string; Relation: string }) => [
      one.Name,
      one.Relation,
    ]);
    assert.deepEqual(relations, [
      ['Elsewhere', 'Owner'],
      ['Plan', 'Access'],
    ]);
    const first = await list(olga.Token, '?limit=1');
    const second = await list(olga.Token, `?limit=1&cursor=${first.NextCursor}`);
    assert.deepEqual([first.Items[0].Id, second.Items[0].Id, second.NextCursor], [newer, older, undefined]);
  });

  it('shows members and invitations to its owner, paged, for any kind', async () => {
    const content = await newContent(olga, { kind: 'Document' });
    const friend = await member({ displayName: 'Fred' });
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
        `${olga.email} ${olga.email} Owner`,
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
