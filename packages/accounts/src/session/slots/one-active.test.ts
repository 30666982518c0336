import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { during } from '@gatehouse/db/testing';
import { logIn, newAccount, openTestAccounts, whileCommitsFail } from '../../testing/index.ts';
import { readSessionSlots } from './session-slots.ts';

describe('a session that takes a slot', () => {
  const app = during(() => openTestAccounts());

  for (const [what, SESSION_SLOTS, SESSION_LIMIT] of [
    ['the only one', '', 'replace'],
    ['one of several', 'web:2', 'replace'],
    ['one of its tag', 'web:1,tv:1', 'replace'],
    ['one that is not given away', '', 'refuse'],
  ] as const) {
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
  }

  it('sends no event, and ends no other one, if it cannot be stored', async () => {
    const person = await newAccount(app);
    await logIn(app, person, { deviceName: 'a phone', userAgent: 'Mozilla/5.0 (Android)' });
    const stored = () =>
      query.column<string>(
        app.db,
        `select 'event ' || id from outbox
         union all select 'copy ' || id from live_session_outbox
         union all select 'change ' || seq from session_event`,
      );
    await app.relay.stop();
    const before = await stored();
    await whileCommitsFail(app, () =>
      assert.rejects(logIn(app, person, { deviceName: 'a tablet', userAgent: 'Mozilla/5.0 (iPad)' })),
    );
    // Copies that had to be written before may be written by now.
    assert.deepEqual(
      (await stored()).filter((row) => !before.includes(row)),
      [],
    );
  });
});
