import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { eventually } from '@gatehouse/runtime/testing';
import { atOnce, cast, type Session } from '../../testing/cast.ts';
import { PASSWORD, type TestCore } from '../../testing/index.ts';

const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

describe('a service account', () => {
  const { core, another, member } = cast();
  let other: TestCore;
  before(async () => {
    other = await another();
  });

  const service = async () => {
    const robot = await member();
    await robot.set('is_service = true');
    return robot;
  };
  /** Whether each session is still accepted, on both instances. */
  const areGood = async (sessions: readonly Session[]) => {
    for (const session of sessions)
      for (const on of [core(), other]) await session.at(on).isChecked().expect(200);
  };

  it('logs in and refreshes from many replicas concurrently, without ending sessions', async () => {
    const robot = await service();
    let held = await atOnce(12, (index) => robot.at(index % 2 === 0 ? core() : other).session());
    await areGood(held);
    for (let round = 0; round < 4; round += 1) {
      const refreshed = held.map(async (session, index) =>
        session.with(await session.next(index % 2 === round % 2 ? core() : other)),
      );
      held = await Promise.all([...refreshed, robot.session()]);
      await areGood(held);
    }
    const sessions = await robot.sessions('is_exclusive, status', 'ended_at is null');
    assert.deepEqual(
      sessions,
      Array.from({ length: 16 }, () => ({ is_exclusive: false, status: 1 })),
    );
    assert.deepEqual(await robot.sessions('id', 'status = 2'), []);
  });

  it('is the only kind of account with several sessions if SINGLE_SESSION is on', async () => {
    const ann = await member();
    const first = await ann.session();
    await ann.at(other).session();
    await first.isChecked().expect(401);
    assert.equal((await ann.sessions('id', 'ended_at is null')).length, 1);
  });

  it('cannot sign in to a browser, and loses no session by the attempt', async () => {
    const robot = await service();
    const own = await robot.session();
    const asksForCookie = (password?: string) =>
      robot.logsIn(password, { Delivery: 'Cookie' }).set(SAME_ORIGIN);
    const answer = await asksForCookie().expect(403);
    assert.deepEqual([answer.body.code, answer.headers['set-cookie']], ['forbidden', undefined]);
    assert.equal((await robot.sessions('id', 'ended_at is null')).length, 1);
    await areGood([own]);
    await asksForCookie('not its password').expect(404);
  });

  it('gets no mails', async () => {
    const robot = await service();
    const session = await robot.session();
    const Email = robot.email;
    await robot.post('/account/forgot-password', { Email }).expect(200, {});
    await robot.post('/account/resend-verification', { Email }).expect(200, {});
    assert.equal((await robot.registers('quite another password').expect(200)).body.LoginStatus, 4);
    // Reuse of a refresh token counts as theft here too.
    await session.with(await session.next()).next();
    const sql = `update user_session
      set refresh_overtaken_at = array(select unnest(refresh_overtaken_at) - interval '31 seconds') where id = ?`;
    await query(core().app.db, sql, [session.id]);
    await session.refreshes().expect(401);
    const waiting = 'select 1 from reset_request where email_key = ?';
    await eventually(async () => (await query(core().app.db, waiting, [Email])).length === 0);
    assert.deepEqual(await robot.mails(), []);
    const codes = 'select 1 from account_code where account_id = ?';
    assert.deepEqual(await query(core().app.db, codes, [await robot.id()]), []);
    await robot.logsIn(PASSWORD).expect(200);
  });
});
