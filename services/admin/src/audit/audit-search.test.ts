import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { during, fill, MANY, reading, testDatabase } from '@gatehouse/db/testing';
import { findNewest, type AuditFilter } from './audit.ts';

const LOOKED_THROUGH_MAX = 55_000;
const idOf = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const [BUSY, RARE, PERSON] = [idOf(1), idOf(2), idOf(3)];

describe('the audit list with several filters', function () {
  this.timeout(60_000);
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
