import assert from 'node:assert/strict';
import { eventually } from '@gatehouse/runtime/testing';
import { atOnce, cast, problem, refresh, type Session } from '../testing/cast.ts';

describe('POST /account/refresh-token', () => {
  const { core, another, member } = cast();

  const next = async (token: string, on = core()): Promise<string> =>
    ((await refresh(on, token).expect(200)).body as { RefreshToken: string }).RefreshToken; // which it has
  /** The first token of a session is used again, after its successor was. */
  const isStolen = async (session: Session, on = core()) => {
    const last = await next(await next(session.RefreshToken, on), on);
    await session.letGracePass();
    await session.refreshes(on).expect(problem('session_deactivated'));
    return last;
  };

  it('treats a replaced token as stolen after the grace period: its session alone ends, and its owner is notified', async () => {
    const many = await another({ SINGLE_SESSION: false });
    const ann = (await member()).at(many);
    const [session, other] = [await ann.session(), await ann.session()];
    const last = await isStolen(session, many);
    assert.deepEqual([await session.pings(), await other.pings()], [4, 1]);
    await refresh(core(), last).expect(401);
    assert.equal((await ann.mailTypes()).at(-1), 'refresh-token.reused');
  });

  it('publishes every theft, and notifies the owner within the hourly limit of mails', async () => {
    const few = await another({ MAILS_PER_HOUR: 1 });
    const ann = (await member()).at(few);
    for (let theft = 0; theft < 3; theft += 1) await isStolen(await ann.session(), few);
    const sql = "select 1 from session_event where reason = 'refresh_token_reused' and account_id = ?";
    const thefts = await core().sql(sql, [await ann.id()]);
    const mails = (await ann.mailTypes()).filter((type) => type === 'refresh-token.reused');
    assert.deepEqual([thefts.length, mails.length], [3, 1]);
  });

  it('lets a concurrent logout win', async () => {
    const session = await (await member()).session();
    const refreshes = atOnce(20, () => session.refreshes());
    await session.logsOut().expect(200);
    for (const { status, body } of await refreshes)
      if (status === 200) await session.with(body).isChecked().expect(401);
    await session.refreshes().expect(401);
  });

  it('considers pings that are not in Postgres yet', async () => {
    const session = await (await member()).session();
    const sql = "update user_session set last_seen_at = now() - interval '3 hours' where id = ?";
    await core().sql(sql, [session.id]);
    await session.refreshes().expect(200);
  });

  it('ends a session that was idle for too long, with the reason', async () => {
    const brief = await another({ SESSION_IDLE_SECONDS: 1 });
    const ann = (await member()).at(brief);
    const session = await ann.session();
    await eventually(async () => (await session.isChecked()).body.code === 'session_expired');
    await session.isChecked().expect(401);
    assert.equal(await session.pings(), 3);
    await session.refreshes().expect(problem('session_expired'));
  });
});
