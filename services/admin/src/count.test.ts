import assert from 'node:assert/strict';
import { countRows } from '@gatehouse/accounts';
import { inTransaction, query } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { v7 as newId } from 'uuid';
import { startAdmin, type TestAdmin } from './testing/index.ts';

describe('the counts of lists', () => {
  let admin: TestAdmin;
  let token: string;
  before(async () => {
    admin = await startAdmin();
    token = (await admin.login(await admin.newAccount({ role: 'Admin' }))).Token;
  });
  after(() => admin.stop());

  const counted = async (path: string) => {
    const { body } = await admin.get(path, token).expect(200);
    return [body.Count, body.CountIsExact];
  };

  it('are returned on request, the same on every page', async () => {
    const displayName = `Counted ${newId()}`;
    const created = await Promise.all([1, 2, 3].map(() => admin.newAccount({ displayName })));
    await Promise.all(created.slice(1).map((person) => admin.login(person)));
    const search = `search=${encodeURIComponent(displayName)}`;
    const path = `/admin/account?${search}&limit=2&count=true`;
    const { body } = await admin.get(path, token).expect(200);
    assert.deepEqual([body.Items.length, body.Count, body.CountIsExact], [2, 3, true]);
    assert.deepEqual(await counted(`${path}&cursor=${body.NextCursor}`), [3, true]);
    assert.deepEqual(await counted(`/admin/account?search=${created[0]?.id}&count=true`), [1, true]);
    assert.deepEqual(await counted(`/admin/account?ids=${created[0]?.id},${newId()}&count=true`), [1, true]);
    assert.deepEqual(await counted(`/admin/account?${search}&role=Admin&count=true`), [0, true]);
    assert.deepEqual(await counted(`/admin/user-session?${search}&count=true`), [2, true]);
    assert.deepEqual(await counted(`/admin/user-session?userId=${created[1]?.id}&status=1&count=true`), [
      1,
      true,
    ]);
    assert.deepEqual(await counted(`/admin/account?${search}`), [undefined, undefined]);
    assert.deepEqual(await counted(`/admin/account?${search}&count=false`), [undefined, undefined]);
    await admin.get('/admin/account?count=1', token).expect(400);
  });

  it('exist for every list', async () => {
    const rows = { 'session-event': 'session_event', 'api-token': 'api_token', audit: 'audit' };
    await admin.post('/admin/api-token', token, { Name: 'with an audit entry' }).expect(201);
    await Promise.all([admin.newToken(), admin.newContent(), admin.newContent()]);
    for (const [name, table] of Object.entries({
      ...rows,
      'content-definition': 'content_definition',
      mail: 'mail_delivery',
      invitation: 'invitation',
    })) {
      const [row] = await query<{ n: number }>(admin.app.db, `select count(*)::int as n from ${table}`);
      assert.deepEqual(await counted(`/admin/${name}?count=true`), [row?.n, true], name);
    }
    const [target] = await query<{ id: string }>(admin.app.db, 'select target_id as id from audit limit 1');
    assert.deepEqual(await counted(`/admin/audit?targetId=${target?.id}&count=true`), [1, true]);
  });

  it('are capped at ten thousand, and say so', async () => {
    const rows = (number: number) => ({
      sql: 'select 1 from generate_series(1, cast(:number as integer)) n',
      bindings: { number },
    });
    const count = (number: number) => countRows(admin.app, rows(number), NO_DEADLINE);
    assert.deepEqual(await count(9_999), { count: 9_999, isExact: true });
    assert.deepEqual(await count(10_000), { count: 10_000, isExact: true });
    assert.deepEqual(await count(10_001), { count: 10_000, isExact: false });
  });

  it('are omitted if they time out, without delaying the list', async () => {
    await inTransaction(admin.app.db, NO_DEADLINE, async (tx) => {
      // The count waits for this lock like for a slow disk; the page itself reads another table.
      await query(tx, 'lock table content_definition in access exclusive mode');
      const slow = { sql: 'select 1 from content_definition', bindings: {} };
      const startedAt = performance.now();
      assert.equal(await countRows(admin.app, slow, NO_DEADLINE), undefined);
      assert.ok(performance.now() - startedAt < 1500);
    });
    const { body } = await admin.get('/admin/content-definition?count=true', token).expect(200);
    assert.ok(body.Count > 0);
    // The time limit applied only to that transaction, not to its connection.
    const timeouts = await Promise.all(
      Array.from({ length: 10 }, () =>
        query<{ statement_timeout: string }>(admin.app.db, 'show statement_timeout'),
      ),
    );
    assert.ok(timeouts.flat().every((row) => row.statement_timeout !== '250ms'));
  });
});
