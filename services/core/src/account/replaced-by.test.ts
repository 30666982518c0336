import assert from 'node:assert/strict';
import { endSessions, publishSessions } from '@gatehouse/accounts';
import { inTransaction, query } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { SessionStatus } from '@gatehouse/schema';
import { cast, type Person, type Session } from '../testing/cast.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

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
