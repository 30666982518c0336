import assert from 'node:assert/strict';
import { activity, query } from '@gatehouse/db';
import { cast } from '../testing/cast.ts';
import { PASSWORD } from '../testing/index.ts';

describe('the statistics of accounts and sessions', () => {
  const { core, someone, member } = cast({ LOGIN_FAILURES_FREE: 2 });

  /** The activity counted during some work. */
  const countedIn = async (work: () => Promise<unknown>): Promise<Record<string, number>> => {
    const { db, activity: recorder } = core().app;
    const save = () => recorder.flush((counts) => activity.add(db, counts));
    await save();
    await query(db, 'delete from activity');
    await work();
    await save();
    const sums = await activity.findSums(db, { from: new Date(0), to: new Date(), interval: 'day' });
    return Object.fromEntries(sums.map(({ kind, count }) => [kind, count]));
  };

  it('count a registration and its verification', async () => {
    const ann = someone();
    const counted = await countedIn(async () => {
      await ann.registers().expect(200);
      await ann.verifies((await ann.codes())[0]).expect(200);
    });
    assert.deepEqual(counted, { registration: 1, verification: 1 });
  });

  it('count logins, replaced sessions, refreshes and logouts', async () => {
    const ann = await member();
    const counted = await countedIn(async () => {
      await ann.session();
      const session = await ann.session();
      await session.refreshes().expect(200);
      await ann.post('/account/refresh-token', { RefreshToken: 'x' }).expect(401);
      await session.logsOut().expect(200);
    });
    assert.deepEqual(counted, {
      'login.password': 2,
      refresh: 1,
      'session.logout': 1,
      'session.replaced': 1,
    });
  });

  it('count the reasons of refused logins', async () => {
    const [ann, disabled] = [await member(), await member()];
    await disabled.set('is_disabled = true');
    const counted = await countedIn(async () => {
      await disabled.logsIn().expect(403);
      await someone('nobody at all').logsIn().expect(404);
      for (let time = 0; time < 2; time += 1) await ann.logsIn('wrong').expect(404);
      await ann.logsIn().expect(429);
      await ann
        .post('/account/login', { TwoFactorToken: 'x'.repeat(43), TwoFactorCode: '123456' })
        .expect(404);
    });
    assert.deepEqual(counted, {
      'refused.account_disabled': 1,
      'refused.password': 3,
      'refused.second-factor': 1,
      'refused.throttled': 1,
    });
  });

  it('count password resets, and the sessions that they end', async () => {
    const ann = await member();
    await ann.session();
    const counted = await countedIn(async () => {
      const code = await ann.forgets();
      await ann.resets(code, PASSWORD).expect(200);
      await ann.resets(code, PASSWORD).expect(400);
    });
    assert.deepEqual(counted, { reset: 1, 'session.password_reset': 1 });
  });
});
