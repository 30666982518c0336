import assert from 'node:assert/strict';
import { connectDb, query } from '@gatehouse/db';
import { eventually } from '@gatehouse/runtime/testing';
import type { Stage } from './run-fault.ts';

/** A mail that was interrupted by a fault waits for its next try. */
const LAST_MAIL_SECONDS = 90;

/** Everything that was answered with a 2xx exists, whatever was broken at the time, and everyone got their mail. */
export function keepsWhatWasAcknowledged(given: () => Stage): void {
  it('every acknowledged registration has an account and a mail', async function () {
    this.timeout((LAST_MAIL_SECONDS + 30) * 1000);
    const { world, fixtures } = given();
    const emails = fixtures.acknowledged;
    assert.ok(emails.length > 20, `${emails.length} registrations`);
    assert.equal(await accountsOf(world.stack.facts.databaseUrl, emails), emails.length);
    await eventually(() => {
      const mailed = new Set(world.sink.mails.map(({ to }) => to));
      assert.deepEqual(
        emails.filter((email) => !mailed.has(email)),
        [],
      );
      return true;
    }, LAST_MAIL_SECONDS);
    const { mails } = world.sink;
    const repeats = mails.filter(
      ({ messageId }, index) => mails.findIndex((one) => one.messageId === messageId) < index,
    );
    // Delivered at least once, normally exactly once. A repeat is expected only if the reply was lost or a fault broke
    // the connection meanwhile.
    const answered = new Set(mails.filter(({ isAnswered }) => isAnswered).map(({ messageId }) => messageId));
    const lost = new Set(mails.filter(({ isAnswered }) => !isAnswered).map(({ messageId }) => messageId));
    const unexplained = repeats.filter(({ messageId }) => answered.has(messageId) && !lost.has(messageId));
    assert.ok(
      unexplained.length <= mails.length / 50,
      `${unexplained.length} of ${mails.length} mails came again`,
    );
  });
}

async function accountsOf(databaseUrl: string, emails: string[]): Promise<number> {
  const db = connectDb({ url: databaseUrl, applicationName: 'faults', poolMax: 1 });
  try {
    const [row] = await query<{ count: number }>(
      db,
      `select count(*)::int as count
       from account
       where email_key = any(?)`,
      [emails],
    );
    return row?.count ?? 0;
  } finally {
    await db.destroy();
  }
}
