import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { eraseDueAccounts } from '../erasure/erase-due-accounts.ts';
import { newAccount, newContent, openTestAccounts, type TestAccounts } from '../testing/index.ts';
import { eraseExpiredGuests } from './erase-expired-guests.ts';

const DAYS = 30;

describe('eraseExpiredGuests', () => {
  let admin: TestAccounts;
  before(async () => {
    admin = await openTestAccounts({}, undefined, 'admin');
  });
  after(() => admin.stop());

  /** A guest who has been without content for this number of days. */
  const newGuest = async (days: number) => {
    const guest = await newAccount(admin);
    await query(
      admin.db,
      `update account
       set role = 'Guest', expires_at = moment, content_expired_at = moment
       from (select date_trunc('second', now() - make_interval(days => ?)) as moment) past
       where id = ?`,
      [days, guest.id],
    );
    return guest;
  };
  const erase = async (): Promise<number> => {
    const count = await eraseExpiredGuests(admin.service, { days: DAYS, isStopping: () => false });
    await eraseDueAccounts(admin.service);
    return count;
  };
  const isThere = async ({ id }: { id: string }): Promise<boolean> =>
    (await query(admin.db, 'select 1 from account where id = ?', [id])).length === 1;

  it('erases guests who have had no content for the configured time, and notifies them once', async () => {
    const [old, young] = [await newGuest(31), await newGuest(29)];
    assert.equal(await erase(), 1);
    assert.deepEqual([await isThere(old), await isThere(young)], [false, true]);
    assert.deepEqual(
      (await admin.mailsTo(old.email)).map(({ type }) => type),
      ['account.erased'],
    );
    assert.equal(await erase(), 0);
  });

  const contentId = () => newContent(admin);
  for (const [name, keep] of [
    [
      'has access to content again',
      async (id: string) => {
        const sql =
          'insert into content_access (account_id, content_definition_id, invited_email) values (?, ?, ?)';
        await query(admin.db, sql, [id, await contentId(), 'guest@example.com']);
      },
    ],
    ['owns content', async (id: string) => void (await newContent(admin, { id }))],
    [
      'is disabled',
      (id: string) => query(admin.db, 'update account set is_disabled = true where id = ?', [id]),
    ],
    [
      'was given an expiry',
      (id: string) =>
        query(admin.db, "update account set expires_at = expires_at - interval '1 day' where id = ?", [id]),
    ],
    [
      'has become a user',
      (id: string) => query(admin.db, `update account set role = 'User' where id = ?`, [id]),
    ],
  ] as const) {
    it(`keeps one who ${name}`, async () => {
      const guest = await newGuest(400);
      await keep(guest.id);
      assert.equal(await erase(), 0);
      assert.ok(await isThere(guest));
    });
  }

  it('can be stopped between two guests, and shared by processes', async () => {
    const guests = [await newGuest(31), await newGuest(32), await newGuest(33)];
    const options = { days: DAYS, isStopping: () => true };
    assert.equal(await eraseExpiredGuests(admin.service, options), 0);
    const [ones, others] = await Promise.all([erase(), erase()]);
    assert.equal(ones + others, 3);
    await eraseDueAccounts(admin.service);
    for (const guest of guests) assert.ok(!(await isThere(guest)));
  });
});
