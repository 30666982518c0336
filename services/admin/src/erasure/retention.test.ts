import assert from 'node:assert/strict';
import { accountSettings } from '@gatehouse/accounts';
import { ConfigError, createMetrics, readConfig } from '@gatehouse/runtime';
import { Type } from '@gatehouse/schema';
import { cast } from '../testing/cast.ts';
import { checkRetention, retentionSettings, startRetention, eraseOldAccounts } from './retention.ts';
import { eraseDueAccounts } from './erase-due.ts';

describe('startRetention', () => {
  const { app, member, sql } = cast({});

  it('counts deleted rows by table, from 0', async () => {
    const metrics = createMetrics('test');
    const works = new Map<string, () => Promise<unknown>>();
    const lifecycle = {
      every: (_: number, name: string, work: () => Promise<unknown>) => void works.set(name, work),
      stopping: false,
    };
    const settings = readConfig(Type.Object(retentionSettings()), {});
    startRetention(app().service, settings, { lifecycle, metrics });
    const { id } = await member();
    const statement = `insert into user_session (id, account_id, status, is_exclusive, refresh_current,
      refresh_next, expires_at, ended_at)
       select gen_random_uuid(), ?, 7, false, '', '', now(), now() - make_interval(days => days)
       from unnest(array[401, 500, 399]) days`;
    await sql(statement, [id]);
    const unverified = await member();
    await unverified.set(`email_verified_at = null, created_at = now() - interval '15 days'`);
    for (const work of works.values()) await work();
    const counted = (await metrics.metrics()).matchAll(
      /^gatehouse_retention_deleted_total\{table="(\w+)",service="test"\} (\d+)$/gm,
    );
    const counts = Object.fromEntries([...counted].map(([, table, count]) => [table, Number(count)]));
    assert.deepEqual(counts, { user_session: 2, session_event: 0, sign_in: 0, audit: 0, account: 1 });
    assert.equal(works.size, 4, 'the audit and guests are kept for ever');
  });
});

describe('the settings of retention', () => {
  const read = (environment: Record<string, string>) => {
    const settings = readConfig(Type.Object(retentionSettings()), environment);
    checkRetention(settings);
    return settings;
  };

  for (const [name, value] of [
    ['SESSION_KEEP_DAYS', '89'],
    ['SESSION_EVENT_KEEP_DAYS', '6'],
    ['SIGN_IN_KEEP_DAYS', '0'],
    ['AUDIT_KEEP_DAYS', '89'],
  ] as const)
    it(`have minimums: ${name}=${value}`, () => {
      assert.throws(() => read({ [name]: value }), ConfigError);
    });

  it('keep the history of sessions for longer than any access token lives', () => {
    const seconds = boundsOf(accountSettings().ACCESS_TOKEN_SECONDS).maximum;
    const days = boundsOf(retentionSettings().SESSION_EVENT_KEEP_DAYS).minimum;
    assert.ok(seconds < days * 86_400, `${seconds} seconds, ${days} days`);
  });
});

/** The bounds of a schema, which its type does not contain. */
function boundsOf(schema: object): { minimum: number; maximum: number } {
  const { minimum = Number.NaN, maximum = Number.NaN } = schema as { minimum?: number; maximum?: number };
  return { minimum, maximum };
}

const DAYS = 30;

describe('eraseOldAccounts', () => {
  const { app, grant, member, newContent, sql } = cast({});

  type Person = Awaited<ReturnType<typeof member>>;
  /** A guest who has been without content for this number of days. */
  const newGuest = async (days: number) => {
    const guest = await member();
    const moment = `date_trunc('second', now() - interval '${days} days')`;
    await guest.set(`role = 'Guest', expires_at = ${moment}, content_expired_at = ${moment}`);
    return guest;
  };
  const erase = async (which: 'guests' | 'unverified', days = DAYS): Promise<number> => {
    const count = await eraseOldAccounts(app().service, which, { days, isStopping: () => false });
    await eraseDueAccounts(app().service);
    return count;
  };
  const isThere = async ({ id }: Person): Promise<boolean> =>
    (await sql('select 1 from account where id = ?', [id])).length === 1;

  it('erases guests who have had no content for the configured time, and notifies them once', async () => {
    const [old, young] = [await newGuest(31), await newGuest(29)];
    assert.equal(await erase('guests'), 1);
    assert.deepEqual([await isThere(old), await isThere(young)], [false, true]);
    assert.deepEqual(await old.mailTypes(), ['account.erased']);
    assert.equal(await erase('guests'), 0);
  });

  const set = (assignments: string) => (person: Person) => person.set(assignments);
  for (const [name, keep] of [
    ['has access to content again', async ({ id }: Person) => grant(await newContent(), id)],
    ['owns content', (guest: Person) => newContent(guest)],
    ['is disabled', set('is_disabled = true')],
    ['was given an expiry', set("expires_at = expires_at - interval '1 day'")],
    ['has become a user', set(`role = 'User'`)],
  ] as const)
    it(`keeps a guest who ${name}`, async () => {
      const guest = await newGuest(400);
      await keep(guest);
      assert.equal(await erase('guests'), 0);
      assert.ok(await isThere(guest));
    });

  it('can be stopped between two guests, and shared by processes', async () => {
    const guests = [await newGuest(31), await newGuest(32), await newGuest(33)];
    const options = { days: DAYS, isStopping: () => true };
    assert.equal(await eraseOldAccounts(app().service, 'guests', options), 0);
    const [ones, others] = await Promise.all([erase('guests'), erase('guests')]);
    assert.equal(ones + others, 3);
    await eraseDueAccounts(app().service);
    for (const guest of guests) assert.ok(!(await isThere(guest)));
  });

  const newUnverified = async (days: number) => {
    const account = await member();
    await account.set(`email_verified_at = null, created_at = now() - interval '${days} days'`);
    return account;
  };
  it('erases accounts that nobody has verified for the configured time, and mails nobody', async () => {
    const [old, young] = [await newUnverified(15), await newUnverified(13)];
    assert.equal(await erase('unverified', 14), 1);
    assert.deepEqual([await isThere(old), await isThere(young)], [false, true]);
    assert.deepEqual(await old.mails(), []);
    assert.equal(await erase('unverified', 14), 0);
  });

  const ADD_CODE = `insert into account_code (account_id, purpose, id, code_hash, tries_left, expires_at)
    values (?, 'verify', gen_random_uuid(), '', 500, now() + interval '1 hour')`;
  const WITHOUT_PASSWORD = 'password_hash = null, password_scheme = null';
  for (const [name, keep] of [
    ['is verified', set('email_verified_at = now()')],
    ['waits for its owner (5)', set(`signup = 'new', ${WITHOUT_PASSWORD}`)],
    ['waits for its owner after an import (6)', set(`signup = 'migration', ${WITHOUT_PASSWORD}`)],
    ['is an invited guest (9)', set(`role = 'Guest', signup = 'invitation', ${WITHOUT_PASSWORD}`)],
    ['has become an administrator', set(`role = 'Admin'`)],
    ['an administrator has disabled', set('is_disabled = true')],
    ['an administrator has expired', set('expires_at = now()')],
    ['owns content', (account: Person) => newContent(account)],
    ['was registered again, and still has a valid code', ({ id }: Person) => sql(ADD_CODE, [id])],
  ] as const)
    it(`keeps an unverified account that ${name}`, async () => {
      const account = await newUnverified(400);
      await keep(account);
      assert.equal(await erase('unverified', 14), 0);
      assert.ok(await isThere(account));
    });
});
