import assert from 'node:assert/strict';
import { type AccountRef, someEmail } from '@gatehouse/accounts/testing';
import type { ContentKind } from '@gatehouse/db';
import { endings, eventually, fieldsOf } from '@gatehouse/runtime/testing';
import { cast, problem } from '../testing/cast.ts';
import type { TestPortal } from '../testing/index.ts';

describe('GET /user-session/{id}', () => {
  const atEnd = endings();
  const people = cast({ SINGLE_SESSION: false });
  const { another, app, call, grant, login, member, newContent, newToken, portal, sql } = people;
  /** The same installation with a short online window. */
  let hasty: TestPortal;
  let token: { Token: string };
  before(async () => {
    hasty = await another({ ONLINE_WINDOW_SECONDS: 1 });
    token = await newToken();
  });

  type Who = string | { Token: string };
  interface Item {
    UserId: string;
    SessionId?: string;
    DisplayName: string;
    SessionStatus: number;
    LastSeenAt?: string;
    InvitedAt?: string;
  }
  interface Channel {
    Items: Item[];
    RelatedItems: Item[];
  }
  const ask = (id: string, who?: Who, at = portal()) => at.get(`/user-session/${id}`, who);
  const read = async (id: string, at = portal()) => (await ask(id, token, at).expect(200)).body as Channel;
  const newChannel = (owner?: AccountRef, kind: ContentKind = 'LiveChannel') => newContent(owner, { kind });
  /** Logs in and pings like an active client. */
  const arrive = async (person: AccountRef) => {
    const session = await login(person);
    await app().sessionCache.touch(person.id, session.sessionId);
    return session;
  };
  const invite = async (channel: string, expires = "now() + interval '7 days'") => {
    const guest = await member({ role: 'Guest', displayName: 'Not shown' });
    await sql(`update account set signup = 'invitation' where id = ?`, [guest.id]);
    const invitation = `insert into invitation (
        id, account_id, content_definition_id, token_hash, invited_email, expires_at)
      values (gen_random_uuid(), :id, :channel, convert_to(:id, 'utf8'), '', ${expires})`;
    await sql(invitation, { id: guest.id, channel });
    return guest;
  };

  it('lists users online, guests offline, and pending guests', async () => {
    const owner = await member({ displayName: 'Zoe' });
    const channel = await newChannel(owner);
    const [user, away] = [await member(), await member()];
    const [guest, absent] = [
      await member({ role: 'Guest', displayName: 'Ann' }),
      await member({ role: 'Guest', displayName: 'Bob' }),
    ];
    for (const person of [user, away, guest, absent]) await grant(channel, person.id);
    const pending = await invite(channel);
    await invite(channel, "now() - interval '1 second'");
    await arrive(await member());
    const sessions = await Promise.all([guest, user, owner].map(arrive));
    const seen = await read(channel);
    const shown = ({ LastSeenAt, InvitedAt, ...item }: Item) => {
      assert.ok(LastSeenAt === undefined || Math.abs(Date.parse(LastSeenAt) - Date.now()) < 60_000);
      assert.ok(InvitedAt === undefined || Math.abs(Date.parse(InvitedAt) - Date.now()) < 60_000);
      return [item, LastSeenAt !== undefined, InvitedAt !== undefined];
    };
    const as = (person: AccountRef, DisplayName: string, IsGuest: boolean, SessionStatus: number) => ({
      UserId: person.id,
      DisplayName,
      Email: person.email,
      IsGuest,
      SessionStatus,
    });
    const [guestSession, userSession, ownerSession] = sessions.map(({ sessionId }) => sessionId);
    assert.deepEqual(seen.Items.map(shown), [
      [{ ...as(guest, 'Ann', true, 5), SessionId: guestSession }, true, false],
      [{ ...as(user, user.email, false, 1), SessionId: userSession }, true, false],
      [{ ...as(owner, 'Zoe', false, 1), SessionId: ownerSession }, true, false],
    ]);
    assert.deepEqual(seen.RelatedItems.map(shown), [
      [as(absent, 'Bob (offline)', true, 5), false, false],
      [as(pending, pending.email, true, 6), false, true],
    ]);
  });

  it('updates a guest with pings, the end of the last session and a new one', async () => {
    const channel = await newChannel();
    const guest = await member({ role: 'Guest', displayName: 'Ann' });
    await grant(channel, guest.id);
    const { sessionId, Token } = await login(guest);
    const isOnline = async () => (await read(channel)).Items.length === 1;
    assert.ok(!(await isOnline()), 'a login alone is no ping');
    await app().sessionCache.touch(guest.id, sessionId);
    assert.ok(await isOnline());
    const offline = await eventually(async () => (await read(channel, hasty)).RelatedItems[0]);
    assert.deepEqual([offline.DisplayName, offline.SessionId], ['Ann (offline)', undefined]);
    assert.ok(offline.LastSeenAt);
    await eventually(async () => {
      await app().sessionCache.touch(guest.id, sessionId);
      return (await read(channel, hasty)).Items[0];
    });
    await call('delete', `/account/session/${sessionId}`, Token).expect(204);
    assert.ok(!(await isOnline()));
    await arrive(guest);
    assert.ok(await isOnline());
  });

  it('shows a user with several sessions once, by the last seen', async () => {
    const user = await member();
    const channel = await newChannel(user);
    const first = await login(user);
    await login(user);
    const seen = await eventually(async () => {
      await app().sessionCache.touch(user.id, first.sessionId);
      const { Items } = await read(channel);
      assert.equal(Items.length, 1);
      return Items[0]?.SessionId === first.sessionId && Items[0];
    });
    assert.equal(seen.UserId, user.id);
  });

  it('refuses other kinds of content', async () => {
    for (const kind of ['Recording', 'Document'] as const)
      await ask(await newChannel(undefined, kind), token).expect(problem('unsupported_content_kind'));
  });

  it('needs as many statements for five thousand users as for one', async () => {
    const channel = await newChannel();
    await fill(channel, 5000);
    const { db } = app().service;
    // The first call caches the sessions.
    assert.equal((await read(channel)).Items.length, 2500);
    let statements = 0;
    const count = ({ sql: text }: { sql: string }) => {
      if (/content_definition|user_session/.test(text)) statements += 1;
    };
    // The minimum of several calls: a periodic job or a slow Redis occasionally adds statements.
    const leastOf = async (id: string) => {
      let least = Infinity;
      for (let time = 0; time < 5; time += 1, statements = 0) {
        await read(id);
        least = Math.min(least, statements);
      }
      return least;
    };
    db.on('query', count);
    atEnd(() => db.off('query', count));
    const one = await newChannel();
    await fill(one, 2);
    await read(one);
    const statementsForMany = await leastOf(channel);
    assert.ok(statementsForMany > 0);
    assert.equal(statementsForMany, await leastOf(one));
  });

  async function fill(channel: string, guests: number): Promise<void> {
    await sql(
      `with guest as (
         insert into account (id, email, email_key, role)
         select gen_random_uuid(), n || '.' || :email, n || '.' || :email, 'Guest' from generate_series(1, :guests) n
         returning id, split_part(email, '.', 1)::int as n
       ),
       access as (insert into content_access (content_definition_id, account_id, invited_email) select :channel, id, '' from guest)
       insert into user_session (
         id, account_id, status, is_exclusive, refresh_current, refresh_next, last_seen_at, last_pinged_at, expires_at)
       select gen_random_uuid(), id, 5, true, '', '', now() + interval '1 minute', now() + interval '1 minute',
         now() + interval '1 day'
       from guest where n % 2 = 0`,
      { channel, guests, email: someEmail() },
    );
  }
});

describe('shared content', () => {
  const { get, login, member, newContent, post, someone } = cast();
  let olga: Awaited<ReturnType<typeof someone>>;
  before(async () => (olga = await someone()));

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
    assert.deepEqual(fieldsOf(Items, 'Id', 'Name', 'Kind', 'Relation'), [
      [newer, 'The board meets', 'LiveChannel', 'Owner'],
      [older, 'Plan', 'Document', 'Owner'],
    ]);
    const { Token } = await login(friend);
    assert.deepEqual(fieldsOf((await list(Token)).Items, 'Name', 'Relation'), [
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
    assert.deepEqual(
      new Set(fieldsOf(Items, 'Email', 'DisplayName', 'Relation')),
      new Set([
        [olga.email, olga.email, 'Owner'],
        [friend.email, 'Fred', 'Access'],
        [stranger, stranger, 'Pending'],
      ]),
    );
    const pages: unknown[] = [];
    let cursor = '';
    do {
      const page = await members(content, `?limit=1${cursor}`);
      pages.push(...fieldsOf(page.Items, 'Email'));
      cursor = page.NextCursor === undefined ? '' : `&cursor=${page.NextCursor}`;
    } while (cursor !== '');
    assert.deepEqual(pages, fieldsOf(Items, 'Email'));
    const pending = await members(content, '?relation=pending');
    assert.deepEqual(fieldsOf(pending.Items, 'Email'), [stranger]);
  });
});
