import assert from 'node:assert/strict';
import { atOnce } from '@gatehouse/accounts/testing';
import { countRows, inTransaction, query } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { v7 as newId } from 'uuid';
import { cast } from './testing/cast.ts';

describe('the counts of lists', () => {
  const { app, boss, login, member, newContent, newToken, sql } = cast({});

  const counted = async (path: string) => {
    const body = await boss.read(path);
    return [body.Count, body.CountIsExact];
  };

  it('are returned on request, the same on every page', async () => {
    const displayName = `Counted ${newId()}`;
    const created = await Promise.all([1, 2, 3].map(() => member({ displayName })));
    await Promise.all(created.slice(1).map((person) => login(person)));
    const search = `search=${encodeURIComponent(displayName)}`;
    const path = `/admin/account?${search}&limit=2&count=true`;
    const body = await boss.read(path);
    assert.deepEqual([body.Items.length, body.Count, body.CountIsExact], [2, 3, true]);
    assert.deepEqual(await counted(`${path}&cursor=${body.NextCursor}`), [3, true]);
    assert.deepEqual(await counted(`/admin/account?search=${created[0]?.id}&count=true`), [1, true]);
    assert.deepEqual(await counted(`/admin/account?ids=${created[0]?.id},${newId()}&count=true`), [1, true]);
    assert.deepEqual(await counted(`/admin/account?${search}&role=Admin&count=true`), [0, true]);
    assert.deepEqual(await counted(`/admin/user-session?${search}&count=true`), [2, true]);
    const shown = await counted(`/admin/user-session?userId=${created[1]?.id}&status=1&count=true`);
    assert.deepEqual(shown, [1, true]);
    assert.deepEqual(await counted(`/admin/account?${search}`), [undefined, undefined]);
  });

  it('exist for every list', async () => {
    await boss.post('/admin/api-token', { Name: 'with an audit entry' }).expect(201);
    await Promise.all([newToken(), newContent(), newContent()]);
    for (const name of 'session-event api-token audit content-definition sign-in mail invitation'.split(
      ' ',
    )) {
      const table = name === 'mail' ? 'mail_delivery' : name.replace('-', '_');
      const [row] = await sql<{ n: number }>(`select count(*)::int as n from ${table}`);
      assert.deepEqual(await counted(`/admin/${name}?count=true`), [row?.n, true], name);
    }
    const [target] = await sql<{ id: string }>('select target_id as id from audit limit 1');
    assert.deepEqual(await counted(`/admin/audit?targetId=${target?.id}&count=true`), [1, true]);
  });

  it('are of lists that have everything once, newest first, page by page', async () => {
    await atOnce(5, () => Promise.all([newToken(), newContent()]));
    await sql(`insert into sign_in (id, at, method, result)
       select gen_random_uuid(), now(), 'Password', 'Succeeded' from generate_series(1, 5)`);
    await sql(`insert into mail_delivery (id, kind, account_id, email, event, status, next_try_at, sent_at)
       select gen_random_uuid(), 'invitation', gen_random_uuid(), 'x', '{}', 'Sent', null, now() from generate_series(1, 5)`);
    const client = { Name: 'App', RedirectUris: ['https://app.example.com/'] };
    for (let time = 0; time < 3; time += 1) await boss.post('/admin/oauth-client', client).expect(201);
    const names = 'account api-token audit content-definition mail oauth-client sign-in'.split(' ');
    for (const name of names) {
      const all = await boss.ids(`/admin/${name}?limit=200`);
      const pages = await boss.pages(`/admin/${name}?limit=2`);
      assert.deepEqual(pages.flat(), all, name);
      assert.deepEqual(all, all.toSorted().toReversed(), name);
      assert.ok(pages.length > 1 && pages.every(({ length }) => length <= 2), name);
    }
  });

  it('are capped at ten thousand, and say so', async () => {
    const rows = (number: number) => ({
      sql: 'select 1 from generate_series(1, cast(:number as integer)) n',
      bindings: { number },
    });
    const count = (number: number) => countRows(app(), rows(number), NO_DEADLINE);
    assert.deepEqual(await count(9_999), { count: 9_999, isExact: true });
    assert.deepEqual(await count(10_000), { count: 10_000, isExact: true });
    assert.deepEqual(await count(10_001), { count: 10_000, isExact: false });
  });

  it('are omitted if they time out, without delaying the list', async () => {
    await inTransaction(app().db, NO_DEADLINE, async (tx) => {
      // The count waits for this lock like for a slow disk; the page itself reads another table.
      await query(tx, 'lock table content_definition in access exclusive mode');
      const slow = { sql: 'select 1 from content_definition', bindings: {} };
      const startedAt = performance.now();
      assert.equal(await countRows(app(), slow, NO_DEADLINE), undefined);
      assert.ok(performance.now() - startedAt < 1500);
    });
    assert.ok((await boss.read('/admin/content-definition?count=true')).Count > 0);
    // The time limit applied only to that transaction, not to its connection.
    const timeouts = await atOnce(10, () => sql<{ statement_timeout: string }>('show statement_timeout'));
    assert.ok(timeouts.flat().every((row) => row.statement_timeout !== '250ms'));
  });
});
