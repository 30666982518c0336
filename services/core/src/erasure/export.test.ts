import assert from 'node:assert/strict';
import { readAudit } from '@gatehouse/accounts/testing';
import { inTransaction, query } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { eventually } from '@gatehouse/runtime/testing';
import { during, PASSWORD, startCore } from '../testing/index.ts';

describe('export by the owner', () => {
  const core = during(() => startCore());

  const anyone = async () => core.bearer((await core.login(await core.newAccount())).Token);

  it('contains all stored data without secrets, and is audited', async () => {
    const email = await core.newAccount();
    const { Token } = await core.login(email);
    await eventually(async () => (await query(core.app.db, 'select 1 from sign_in')).length > 0);
    const { body, headers } = await core
      .post('/account/export', { Password: PASSWORD }, core.bearer(Token))
      .expect(200);
    assert.match(String(headers['content-disposition']), /attachment/);
    assert.equal(headers['cache-control'], 'no-store');
    assert.deepEqual(body.Truncated, []);
    assert.equal(body.Profile[0].Email, email);
    assert.equal(body.Profile[0].HasPassword, true);
    assert.equal(body.Sessions.length, 1);
    assert.ok(body.SessionHistory.length >= 1);
    assert.equal(body.SignIns[0].Result, 'Succeeded');
    assert.ok(body.Audit.some(({ Action }: { Action: string }) => Action === 'account.verified'));
    assert.doesNotMatch(JSON.stringify(body), /\$2b\$|hash|secret/i);
    const { entries } = await readAudit(core.app);
    assert.ok(
      entries.some(
        ({ action, targetId }) => action === 'account.exported' && targetId === body.Profile[0].Id,
      ),
    );
  });

  it('allows one at a time, and uses up no proof if refused', async () => {
    const email = await core.newAccount();
    const { Token } = await core.login(email);
    const ask = () => core.post('/account/export', { Password: PASSWORD }, core.bearer(Token));
    const { first } = await inTransaction(core.app.db, NO_DEADLINE, async (tx) => {
      await query(tx, 'lock table invitation in access exclusive mode');
      const asked = ask().then(({ status }) => status);
      await eventually(async () => {
        const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        return (await query(core.app.db, waiting)).length > 0;
      });
      const { body, headers } = await ask().expect(429);
      assert.deepEqual([body.code, headers['retry-after']], ['too_many_requests', '5']);
      return { first: asked };
    });
    assert.equal(await first, 200);
    await ask().expect(200);
  });

  it('is limited to ten an hour, not counting wrong proofs', async () => {
    const [own, other] = [await anyone(), await anyone()];
    const ask = (who: object, body: object = {}) => core.post('/account/export', body, { ...who });
    for (let time = 0; time < 3; time += 1) await ask(own, { Password: 'wrong' }).expect(403);
    for (let time = 0; time < 10; time += 1) await ask(own).expect(200);
    const refused = await ask(own).expect(429);
    assert.deepEqual(
      [refused.body.code, refused.body.detail, Number(refused.headers['retry-after']) > 3000],
      ['too_many_requests', 'Hourly limit of exports of this account reached', true],
    );
    await ask(other).expect(200);
  });

  it('waits a short time for a slot, as other requests need Postgres too', async () => {
    const own = await anyone();
    const { exportTurns } = core.app.service;
    let release = (): void => {};
    const others = new Promise<void>((resolve) => {
      release = resolve;
    });
    const held = [exportTurns(() => others), exportTurns(() => others)];
    const late = await core.post('/account/export', {}, own).expect(503);
    assert.deepEqual([late.body.code, Number(late.headers['retry-after']) > 0], ['unavailable', true]);
    const waiting = core.post('/account/export', {}, own).expect(200);
    setTimeout(release, 200);
    await Promise.all([waiting, ...held]);
  });
});
