import assert from 'node:assert/strict';
import { readTables, someAddress, whileAuditFails, whileCommitsFail } from '@gatehouse/accounts/testing';
import { audit, inTransaction, query } from '@gatehouse/db';
import { during, fill, MANY, reading, testDatabase } from '@gatehouse/db/testing';
import type { Who } from '@gatehouse/http/testing';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { fieldsOf } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { cast } from '../testing/cast.ts';
import { findNewest, type AuditFilter } from './audit.ts';

const PATH = '/admin/audit';
const CONTENT = '/admin/content-definition';
const TOKENS = '/admin/api-token';

type Entry = Record<'Id' | 'Action' | 'At', string> & { TargetId: string | null; Details: object };

describe('the audit', () => {
  const { app, boss, call, grant, member, newToken, post, sql } = cast({});

  const list = async (search = '') => (await boss.read(`${PATH}${search}`)) as { Items: Entry[] };
  const add = async (who: Who = boss, headers: Record<string, string> = {}) =>
    (await post(CONTENT, who, { Name: 'News', Kind: 'Document' }).set(headers).expect(201)).body.Id as string;
  const targets = async (search: string) => fieldsOf((await list(search)).Items, 'TargetId');

  it('records every change of content once, and no call without effect', async () => {
    const owner = await member();
    const id = await add();
    const at = `${CONTENT}/${id}`;
    await boss.put(at, { Name: 'Old news', Kind: 'Recording', OwnerId: owner.id }).expect(200);
    const guest = await member({ role: 'Guest' });
    await grant(id, guest.id);
    await boss.put(at, { Name: '' }).expect(400);
    await boss.put(at, { Name: 'x', Kind: 'Document', OwnerId: newId() }).expect(400);
    await boss.get(at).expect(200);
    await boss.delete(at).expect(204);
    await boss.delete(at).expect(404);
    const { Items } = await list(`?targetId=${id}`);
    assert.deepEqual(fieldsOf(Items, 'Action', 'Details'), [
      ['content.deleted', { UsersRemoved: 1 }],
      ['content.changed', { Changed: ['Name', 'Kind', 'OwnerId'], Kind: 'Recording', OwnerId: owner.id }],
      ['content.created', { Kind: 'Document', OwnerId: null }],
    ]);
  });

  it('is atomic with the change that it records', async () => {
    const id = await add();
    const { body: token } = await boss.post(TOKENS, { Name: 'x' }).expect(201);
    const guest = await member({ role: 'Guest' });
    await grant(id, guest.id);
    const given = { Name: 'Changed', Kind: 'Recording' };
    for (const [method, path, body, status] of [
      ['post', CONTENT, given, 201],
      ['put', `${CONTENT}/${id}`, given, 200],
      ['post', TOKENS, { Name: 'y' }, 201],
      ['patch', `/admin/account/${guest.id}`, { DisplayName: 'Gus' }, 200],
      ['delete', `${TOKENS}/${token.Id}`, undefined, 204],
      ['delete', `${CONTENT}/${id}`, undefined, 204],
    ] as const) {
      const ask = () => call(method, path, boss, body);
      const before = await readTables(app());
      for (const whileFaulty of [whileAuditFails, whileCommitsFail]) {
        await whileFaulty(app(), async () => {
          const { text } = await ask().expect(500);
          assert.ok(!text.includes('nothing more') && !text.includes('sat_'));
        });
        assert.deepEqual(await readTables(app()), before, `${whileFaulty.name} ${method} ${path}`);
      }
      await ask().expect(status);
    }
  });

  it('records bulk changes, each once, with what each has changed', async () => {
    const id = await add();
    const kinds = Array.from({ length: 12 }, (_, index) => (index % 3 === 0 ? 'Recording' : 'Document'));
    await Promise.all(kinds.map((Kind) => boss.put(`${CONTENT}/${id}`, { Name: 'News', Kind }).expect(200)));
    type Change = { Details: { Kind: string; Changed?: string[] } };
    const entries = (await list(`?targetId=${id}`)).Items as Change[];
    assert.equal(entries.length, kinds.length + 1);
    entries.slice(0, -1).forEach(({ Details }, index) => {
      const before = entries[index + 1]?.Details.Kind;
      assert.deepEqual(Details.Changed, Details.Kind === before ? [] : ['Kind']);
    });
  });

  it('shows actor, action, target, time, address and request', async () => {
    const address = someAddress();
    const traceId = newId().replaceAll('-', '');
    const begun = Date.now();
    const id = await add(boss, {
      'x-forwarded-for': address,
      traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
    });
    const { Items } = await list(`?targetId=${id}`);
    const { Id, At, ...entry } = Items[0] ?? assert.fail('nothing is recorded');
    assert.deepEqual(entry, {
      ...{ Action: 'content.created', ActorId: boss.id, ActorKind: 'Account', TargetId: id },
      ...{ TargetKind: 'ContentDefinition', IpAddress: address, TraceId: traceId },
      Details: { Kind: 'Document', OwnerId: null },
    });
    assert.match(Id, /^[0-9a-f-]{36}$/);
    assert.ok(Date.parse(At) >= begun - 1000 && Date.parse(At) <= Date.now() + 1000);
    assert.equal(Items.length, 1);
  });

  it('finds entries about the sessions, invitations and mails of an account, paged', async () => {
    const person = await member();
    const other = await member();
    const owner = { kind: 'Account', id: person.id } as const;
    const by = { kind: 'Account', id: boss.id } as const;
    const session = { kind: 'UserSession', id: newId() } as const;
    const invitation = { kind: 'Invitation', id: newId() } as const;
    const details = { UserId: person.id };
    const ofOther = { details: { UserId: other.id }, target: { ...session, id: newId() } };
    await inTransaction(app().db, NO_DEADLINE, (tx) =>
      audit.append(
        tx,
        [
          { action: 'account.changed', actor: by, target: owner },
          { action: 'session.ended', actor: owner, target: session },
          { action: 'user-session.changed', actor: by, target: session, details },
          { action: 'invitation.deleted', actor: by, target: invitation, details },
          { action: 'user-session.changed', actor: owner, ...ofOther },
        ],
        undefined,
      ),
    );
    const all = (await list(`?targetId=${person.id}`)).Items;
    const actions = ['invitation.deleted', 'user-session.changed', 'session.ended', 'account.changed'];
    assert.deepEqual(fieldsOf(all, 'Action'), actions);
    const paged = await boss.pages(`${PATH}?targetId=${person.id.toUpperCase()}&limit=1`);
    assert.deepEqual([paged.length, paged.flat()], [4, fieldsOf(all, 'Id')]);
    assert.deepEqual(await targets(`?targetId=${person.id}&actorId=${person.id}`), [session.id]);
  });

  it('filters by actor, target, action, time, request and address, also combined', async () => {
    const token = await newToken({ role: 'Admin' });
    const [address, traceId] = [someAddress(), newId().replaceAll('-', '')];
    const byToken = await add(token);
    const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
    const traced = await add(boss, { 'x-forwarded-for': address, traceparent });
    await boss.put(`${CONTENT}/${byToken}`, { Name: 'y', Kind: 'Document' }).expect(200);
    const [past, later] = [-60_000, 60_000].map((ms) => new Date(Date.now() + ms).toISOString());
    const [created, changed] = ['content.created', 'content.changed'];
    for (const [filter, expected] of [
      [`targetId=${byToken.toUpperCase()}`, [changed, created]],
      [`actorId=${token.id}`, [created]],
      [`actorKind=apitoken&targetId=${byToken}`, [created]],
      [`actorKind=Account&targetId=${byToken}`, [changed]],
      [`actorId=${boss.id}&targetId=${byToken}`, [changed]],
      [`action=content.created&targetId=${byToken}`, [created]],
      [`targetId=${byToken}&to=${past}`, []],
      [`targetId=${byToken}&from=${past}`, [changed, created]],
      [`targetId=${byToken}&from=${later}`, []],
      [`traceId=${traceId}&targetId=${traced}`, [created]],
      [`traceId=${traceId}`, [created]],
      [`ipAddress=${address.toUpperCase()}`, [created]],
      [`ipAddress=${address}&actorKind=System`, []],
    ] as const)
      assert.deepEqual(fieldsOf((await list(`?${filter}`)).Items, 'Action'), expected, filter);
  });

  it('returns current names on request, and none of deleted objects', async () => {
    const id = await add(boss);
    const plain = (await list(`?targetId=${id}`)).Items[0] ?? {};
    assert.ok(!('ActorName' in plain) && !('TargetName' in plain));
    await boss.put(`${CONTENT}/${id}`, { Name: 'Old news', Kind: 'Document' }).expect(200);
    const named = async () => (await boss.read(`${PATH}?targetId=${id}&names=true`)).Items;
    for (const { ActorName, TargetName } of await named())
      assert.deepEqual([typeof ActorName, TargetName], ['string', 'Old news']);
    await boss.delete(`${CONTENT}/${id}`).expect(204);
    assert.deepEqual(fieldsOf(await named(), 'TargetName'), [null, null, null]);
  });

  it('shows actions of the system, and unknown ones of a newer version', async () => {
    const id = newId();
    const target = { kind: 'Account', id } as const;
    await inTransaction(app().db, NO_DEADLINE, (tx) =>
      audit.append(tx, [{ action: 'password.reset', actor: { kind: 'System' }, target }], undefined),
    );
    const statement = `insert into audit (id, action, actor_kind, target_kind, target_id)
      values (?, 'moon.landed', 'System', 'Moon', ?)`;
    await sql(statement, [newId(), id]);
    const { Items } = await list(`?targetId=${id}`);
    const system = { ActorId: null, ActorKind: 'System', IpAddress: null, TraceId: null };
    for (const [index, Action, TargetKind] of [
      [0, 'moon.landed', 'Moon'],
      [1, 'password.reset', 'Account'],
    ] as const) {
      const { Id, At, ...entry } = Items[index] ?? assert.fail();
      assert.deepEqual(entry, { ...system, Action, TargetKind, TargetId: id, Details: {} }, Id + At);
    }
  });
});

const LOOKED_THROUGH_MAX = 55_000;
const idOf = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const [BUSY, RARE, PERSON] = [idOf(1), idOf(2), idOf(3)];

describe('the audit list with several filters', () => {
  const database = during(testDatabase);
  before(async () => {
    // One administrator changes the same account all the time. Another administrator changed it long ago,
    // and one of its sessions before and after.
    await fill(database.url, async (db) => {
      const statement = `insert into audit (id, action, actor_kind, actor_id, target_kind, target_id, details, at)
       select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid,
         case when n = 5 then 'account.unlocked' when n in (4, ${MANY}) then 'user-session.changed' else 'account.changed' end,
         'Account',
         case when n in (4, 5, ${MANY}) then cast(:rare as uuid) else cast(:busy as uuid) end,
         case when n in (4, ${MANY}) then 'UserSession' else 'Account' end,
         case when n in (4, ${MANY}) then cast(:busy as uuid) else cast(:person as uuid) end,
         case when n in (4, ${MANY}) then jsonb_build_object('UserId', cast(:person as text)) else '{}' end,
         now()
       from generate_series(1, ${MANY}) n`;
      await query(db, statement, { busy: BUSY, rare: RARE, person: PERSON });
      await query(db, 'vacuum analyze audit');
    });
  });

  const read = async (filter: AuditFilter, beforeId?: string) => {
    const page = await reading(database.db, 'audit', (tx) => findNewest(tx, filter, { beforeId, max: 50 }));
    const { rows, nextBeforeId } = page.found;
    return { ids: rows.map(({ id }) => id), nextBeforeId, count: page.read };
  };

  it('limits the entries that it reads if few match all filters, and returns where to continue', async () => {
    const filter = { actorId: BUSY, action: 'account.unlocked' } as const;
    const first = await read(filter);
    assert.deepEqual([first.ids, typeof first.nextBeforeId], [[], 'string']);
    let scanned = first.count;
    // On a slow machine, a page scans fewer.
    for (let page = first; page.nextBeforeId !== undefined;) {
      assert.ok(page.count >= 7000 && page.count <= LOOKED_THROUGH_MAX, String(page.count));
      page = await read(filter, page.nextBeforeId);
      assert.deepEqual(page.ids, []);
      scanned += page.count;
    }
    assert.ok(scanned >= MANY - 3, String(scanned));
  });

  it('neither skips nor repeats entries of an account and its resources', async () => {
    const filter = { targetId: PERSON, actorId: RARE };
    const ids: string[] = [];
    let beforeId: string | undefined;
    for (let pages = 0; pages < MANY / 7000; pages += 1) {
      const page = await read(filter, beforeId);
      assert.ok(page.count <= LOOKED_THROUGH_MAX, String(page.count));
      ids.push(...page.ids);
      beforeId = page.nextBeforeId;
      if (beforeId === undefined) break;
    }
    assert.deepEqual([ids, beforeId], [[idOf(MANY), idOf(5), idOf(4)], undefined]);
  });

  it('finds rare matches at once, newest first', async () => {
    for (const filter of [
      { actorId: RARE, actorKind: 'Account' },
      { actorId: RARE, actorKind: 'Account', to: new Date(Date.now() + 60_000) },
    ] as const) {
      const { ids, nextBeforeId, count } = await read(filter);
      assert.deepEqual([ids, nextBeforeId], [[idOf(MANY), idOf(5), idOf(4)], undefined]);
      assert.ok(count < 100, String(count));
    }
    const { ids, count } = await read({ action: 'account.unlocked', actorKind: 'Account' });
    assert.deepEqual(ids, [idOf(5)]);
    assert.ok(count < 100, String(count));
  });
});
