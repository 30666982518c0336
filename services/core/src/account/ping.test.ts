import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { endSessions, publishSessions } from '@gatehouse/accounts';
import { inTransaction, query } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { eventually } from '@gatehouse/runtime/testing';
import { SessionStatus } from '@gatehouse/schema';
import { cast, type Person, type Session } from '../testing/cast.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

describe('POST /account/ping', () => {
  const { core, member } = cast({ SESSION_IDLE_SECONDS: 60 });

  const isEnded = async ({ id }: Session, status: SessionStatus) => {
    const change = { status, reason: 'administrator', changedBy: undefined } as const;
    const { app } = core();
    const ended = await inTransaction(app.db, NO_DEADLINE, (tx) =>
      endSessions(app, tx, { kind: 'session', sessionId: id }, change, undefined),
    );
    await publishSessions(app, ended);
  };

  for (const [status, pingStatus, code] of [
    [SessionStatus.SessionReplaced, 4, 'session_replaced'],
    [SessionStatus.Deactivated, 4, 'session_deactivated'],
    [SessionStatus.Expired, 3, 'session_expired'],
    [SessionStatus.DeletedInvite, 4, 'invite_deleted'],
  ] as const) {
    it(`returns ${pingStatus} for a session of status ${status}, and other requests 401 ${code}`, async () => {
      const session = await (await member()).session();
      await isEnded(session, status);
      assert.equal(await session.pings(), pingStatus);
      assert.equal((await session.isChecked().expect(401)).body.code, code);
    });
  }

  for (const [change, pingStatus] of [
    ['is_disabled = true', 4],
    ["expires_at = now() - interval '1 second'", 3],
  ] as const) {
    it(`returns ${pingStatus} for an account with this state: ${change}`, async () => {
      const ann = await member();
      const session = await ann.session();
      await isEnded(session, SessionStatus.SessionReplaced);
      await ann.set(change);
      await query(core().app.db, 'update user_session set version = version + 1');
      await publishSessions(core().app, [session.id]);
      assert.equal(await session.pings(), pingStatus);
    });
  }

  it('stores last-seen time and watched content, in Postgres with a delay', async () => {
    const ann = await member();
    const session = await ann.session();
    const content = randomUUID();
    const stored = async () =>
      (
        await ann.sessions<{ seen: number; content: string | null }>(
          'extract(epoch from now() - last_seen_at)::float8 as seen, content_definition_id as content',
        )
      )[0];
    await query(core().app.db, "update user_session set last_seen_at = now() - interval '40 seconds'");
    await session.post('/account/ping', { ContentDefinitionId: content }).expect(200);
    await eventually(async () => {
      const row = await stored();
      return row?.content === content && row.seen < 20;
    });
    await session.post('/account/ping').expect(200);
    await eventually(async () => (await stored())?.content === null);
  });

  it('needs no body', async () => {
    const { Token } = await (await member()).session();
    await core().http.post('/account/ping').set(core().bearer(Token)).expect(200, { PingStatus: 1 });
  });
});

describe('information about a replaced session', () => {
  const { core, member } = cast();

  const ping = async (session: Session) => (await session.post('/account/ping')).body;
  const refusal = async (session: Session) => (await session.isChecked().expect(401)).body;
  const replaces = (ann: Person, DeviceName: string, userAgent: string) =>
    ann.logsIn(undefined, { DeviceName }).set('user-agent', userAgent).expect(200);
  /** How often the replacement of a session is looked up during some work. */
  const lookups = async (work: () => Promise<unknown>): Promise<number> => {
    const seen: string[] = [];
    const listen = ({ sql }: { sql: string }) => seen.push(sql);
    core().app.service.db.on('query', listen);
    await work();
    core().app.service.db.removeListener('query', listen);
    return seen.filter((sql) => sql.includes('user_session newer')).length;
  };

  it('includes the newer login without its address: in pings, refusals and refreshes', async () => {
    const ann = await member();
    const first = await ann.session();
    await replaces(ann, 'Ann’s laptop', FIREFOX);
    const { ReplacedBy: replacedBy, PingStatus } = await ping(first);
    assert.equal(PingStatus, 4);
    assert.deepEqual(Object.keys(replacedBy), ['DeviceName', 'UserAgent', 'At']);
    assert.deepEqual([replacedBy.DeviceName, replacedBy.UserAgent], ['Ann’s laptop', FIREFOX]);
    assert.ok(Math.abs(Date.now() - Date.parse(replacedBy.At)) < 60_000, replacedBy.At);
    const third = await ann.session();
    assert.deepEqual((await refusal(first)).ReplacedBy, replacedBy);
    const { body } = await first.refreshes().expect(401);
    assert.deepEqual([body.code, body.ReplacedBy], ['session_replaced', replacedBy]);
    await ann.session();
    assert.deepEqual(Object.keys((await refusal(third)).ReplacedBy), ['At']);
  });

  it('is absent if no login replaced it', async () => {
    const ann = await member();
    const ended = [
      { status: SessionStatus.SessionReplaced, reason: 'administrator' },
      { status: SessionStatus.Deactivated, reason: 'replaced' },
    ] as const;
    for (const end of ended) {
      const session = await ann.session();
      const whose = { kind: 'account', accountId: await ann.id() } as const;
      const { app } = core();
      const ids = await inTransaction(app.db, NO_DEADLINE, (tx) =>
        endSessions(app, tx, whose, { ...end, changedBy: undefined }, undefined),
      );
      await publishSessions(app, ids);
      assert.ok(!('ReplacedBy' in (await ping(session))));
      assert.ok(!('ReplacedBy' in (await refusal(session))));
    }
  });

  it('costs active sessions nothing, and a replaced one a single query', async () => {
    const ann = await member();
    const [older, newer] = [await ann.session(), await ann.session()];
    const often = async (work: () => Promise<unknown>) => {
      for (let time = 0; time < 3; time += 1) await work();
    };
    assert.equal(await lookups(() => often(() => ping(newer))), 0);
    assert.equal(await lookups(() => often(() => ping(older))), 1);
    assert.equal(await lookups(() => often(() => refusal(older))), 0);
  });

  it('is omitted when Postgres does not respond, and sent later', async () => {
    const ann = await member();
    const session = await ann.session();
    await replaces(ann, 'newer', FIREFOX);
    await core().app.db.transaction(async (tx) => {
      await query(tx, 'lock table user_session in access exclusive mode');
      const begun = performance.now();
      assert.deepEqual([(await refusal(session)).ReplacedBy], [undefined]);
      assert.equal((await ping(session)).PingStatus, 4);
      assert.ok(performance.now() - begun < 1500);
    });
    assert.equal((await refusal(session)).ReplacedBy.DeviceName, 'newer');
  });
});
