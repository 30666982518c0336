import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { during } from '@gatehouse/db/testing';
import { ConfigError } from '@gatehouse/runtime';
import { countedTag, knownTags, limitOf, readSessionSlots } from './slots.ts';
import { logIn, newAccount, openTestAccounts, whileCommitsFail } from '../testing/index.ts';

const read = (SESSION_SLOTS = '', more: Partial<Parameters<typeof readSessionSlots>[0]> = {}) =>
  readSessionSlots({ SESSION_SLOTS, SESSION_LIMIT: 'replace', SINGLE_SESSION: true, ...more });

describe('readSessionSlots', () => {
  it('gives one slot without a name if the setting is unset', () => {
    const slots = read();
    assert.deepEqual([...slots.perTag], [['', 1]]);
    assert.deepEqual([slots.standard, slots.refuses, knownTags(slots)], ['', false, []]);
  });

  it('reads tags and their numbers, with or without spaces', () => {
    const slots = read('web:1, mobile:1 ,smart-tv:2', { SESSION_LIMIT: 'refuse' });
    assert.deepEqual(Object.fromEntries(slots.perTag), { web: 1, mobile: 1, 'smart-tv': 2 });
    assert.deepEqual([slots.standard, slots.refuses], ['web', true]);
    assert.deepEqual(knownTags(slots), ['web', 'mobile', 'smart-tv']);
  });

  it('lets the account pages use the only tag, whatever its name', () =>
    assert.equal(read('seat:3').standard, 'seat'));

  it('counts a session of a tag that is no longer configured as a standard one', () => {
    const slots = read('web:1,mobile:1');
    const counted = ['mobile', 'web', 'tv', ''].map((tag) => countedTag(slots, tag));
    assert.deepEqual(counted, ['mobile', 'web', 'web', 'web']);
    assert.equal(countedTag(read(), 'web'), '');
  });

  it('lets an account’s own limit take precedence for every tag', () => {
    const slots = read('web:1,tv:4');
    const limits = [limitOf(slots, { sessionLimit: null }, 'tv'), limitOf(slots, { sessionLimit: 2 }, 'tv')];
    assert.deepEqual(limits, [4, 2]);
  });

  for (const [list, said] of [
    ['web', '"web" is not a tag with its number'],
    ['web:0', '"web:0" is not a tag with its number'],
    ['web:1,', '"" is not a tag with its number'],
    ['Web:1', '"Web:1" is not a tag with its number'],
    ['web:1.5', '"web:1.5" is not a tag with its number'],
    [`${'w'.repeat(33)}:1`, 'is not a tag with its number'],
    ['web:1,web:2', 'the tag "web" is listed twice'],
    ['web:11,tv:10', 'has 21 slots in all; at most 20'],
    ['mobile:1,tv:1', 'one must be "web"'],
  ] as const)
    it(`refuses ${list}`, () =>
      assert.throws(
        () => read(list),
        (error) =>
          error instanceof ConfigError &&
          error.message.startsWith('SESSION_SLOTS') &&
          error.message.includes(said),
      ));

  it('refuses slots and refusals where accounts have any number of sessions', () => {
    const many = { SINGLE_SESSION: false } as const;
    assert.throws(() => read('web:1', many), /^ConfigError: SESSION_SLOTS needs SINGLE_SESSION/);
    const refusing = () => read(undefined, { ...many, SESSION_LIMIT: 'refuse' });
    assert.throws(refusing, /^ConfigError: SESSION_LIMIT=refuse needs SINGLE_SESSION/);
  });
});

describe('a session that takes a slot', () => {
  const app = during(() => openTestAccounts());

  for (const [what, SESSION_SLOTS, SESSION_LIMIT] of [
    ['the only one', '', 'replace'],
    ['one of several', 'web:2', 'replace'],
    ['one of its tag', 'web:1,tv:1', 'replace'],
    ['one that is not given away', '', 'refuse'],
  ] as const)
    it(`has it alone, whatever writes to the table: ${what}`, async () => {
      const slots = readSessionSlots({ SESSION_SLOTS, SESSION_LIMIT, SINGLE_SESSION: true });
      const { sessionId } = await logIn({ ...app, slots }, await newAccount(app));
      const again = `
        insert into user_session (
          id, account_id, status, is_exclusive, tag, slot, refresh_current, refresh_next, expires_at)
        select gen_random_uuid(), account_id, status, is_exclusive, tag, slot, '', '', expires_at
        from user_session where id = ?`;
      await assert.rejects(query(app.db, again, [sessionId]), { constraint: 'user_session_one_active' });
    });

  it('sends no event, and ends no other one, if it cannot be stored', async () => {
    const person = await newAccount(app);
    await logIn(app, person, { deviceName: 'a phone', userAgent: 'Mozilla/5.0 (Android)' });
    const sql = `select 'event ' || id from outbox
      union all select 'copy ' || id from live_session_outbox
      union all select 'change ' || seq from session_event`;
    const stored = () => query.column<string>(app.db, sql);
    await app.relay.stop();
    const before = await stored();
    const device = { deviceName: 'a tablet', userAgent: 'Mozilla/5.0 (iPad)' };
    await whileCommitsFail(app, () => assert.rejects(logIn(app, person, device)));
    // Copies that had to be written before may be written by now.
    const added = (await stored()).filter((row) => !before.includes(row));
    assert.deepEqual(added, []);
  });
});
