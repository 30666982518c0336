import assert from 'node:assert/strict';
import { readTables, someAddress, whileAuditFails, whileCommitsFail } from '@gatehouse/accounts/testing';
import { audit, inTransaction } from '@gatehouse/db';
import type { Who } from '@gatehouse/http/testing';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { fieldsOf } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { cast } from '../testing/cast.ts';

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

  it('records every change of content and of tokens once, and no call without effect', async () => {
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
    const recorded = async (of: string) =>
      fieldsOf((await list(`?targetId=${of}`)).Items, 'Action', 'Details');
    assert.deepEqual(await recorded(id), [
      ['content.deleted', { UsersRemoved: 1 }],
      ['content.changed', { Changed: ['Name', 'Kind', 'OwnerId'], Kind: 'Recording', OwnerId: owner.id }],
      ['content.created', { Kind: 'Document', OwnerId: null }],
    ]);
    const { body: token } = await boss.post(TOKENS, { Name: 'x', Role: 'Admin' }).expect(201);
    await boss.delete(`${TOKENS}/${token.Id}`).expect(204);
    assert.deepEqual(await recorded(token.Id), [
      ['api-token.revoked', {}],
      ['api-token.created', { Role: 'Admin' }],
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

  it('filters by actor, target, action and time, also combined', async () => {
    const token = await newToken({ role: 'Admin' });
    const before = new Date();
    const id = (await post(CONTENT, token, { Name: 'x', Kind: 'Document' }).expect(201)).body.Id;
    await boss.put(`${CONTENT}/${id}`, { Name: 'y', Kind: 'Document' }).expect(200);
    const actions = async (search: string) => fieldsOf((await list(search)).Items, 'Action');
    assert.deepEqual(await actions(`?targetId=${id}`), ['content.changed', 'content.created']);
    assert.deepEqual(await actions(`?targetId=${id.toUpperCase()}`), ['content.changed', 'content.created']);
    assert.deepEqual(await actions(`?actorId=${token.id}`), ['content.created']);
    assert.deepEqual(await actions(`?actorId=${boss.id}&targetId=${id}`), ['content.changed']);
    assert.deepEqual(await actions(`?action=content.created&targetId=${id}`), ['content.created']);
    const past = new Date(before.getTime() - 60_000).toISOString();
    assert.deepEqual(await actions(`?targetId=${id}&to=${past}`), []);
    assert.equal((await actions(`?targetId=${id}&from=${past}`)).length, 2);
    const later = new Date(Date.now() + 60_000).toISOString();
    assert.deepEqual(await actions(`?targetId=${id}&from=${later}`), []);
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

  it('finds entries by token, request and address', async () => {
    const token = await newToken({ role: 'Admin' });
    const [address, traceId] = [someAddress(), newId().replaceAll('-', '')];
    const byToken = await add(token);
    const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
    const traced = await add(boss, { 'x-forwarded-for': address, traceparent });
    assert.deepEqual((await targets('?actorKind=apitoken'))[0], byToken);
    assert.ok(!(await targets('?actorKind=Account')).includes(byToken));
    assert.deepEqual(await targets(`?traceId=${traceId}`), [traced]);
    assert.deepEqual(await targets(`?ipAddress=${address.toUpperCase()}`), [traced]);
    assert.deepEqual(await targets(`?ipAddress=${address}&actorKind=System`), []);
    assert.deepEqual(await targets(`?traceId=${traceId}&targetId=${traced}`), [traced]);
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
