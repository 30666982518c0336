import assert from 'node:assert/strict';
import { endSessions, publishSessions } from '@gatehouse/accounts';
import { inTransaction } from '@gatehouse/db';
import { openEvents, type EventStream } from '@gatehouse/http/testing';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { endings, eventually } from '@gatehouse/runtime/testing';
import { PingStatus, SessionStatus } from '@gatehouse/schema';
import { cast } from '../../testing/cast.ts';

describe('GET /account/session/stream', () => {
  const { app, login, member, newContent, portal, sql } = cast({ SINGLE_SESSION: true });
  const atEnd = endings();
  afterEach(() => void (app().clock.now = Date.now));

  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const open = async (token: string, parameters = '') => {
    const stream = await openEvents(`${portal().url}/account/session/stream${parameters}`, bearer(token));
    atEnd(() => stream.close());
    return stream;
  };
  /** A stream of a new user's session that has sent its first status. */
  const watch = async (parameters = '') => {
    const person = await member();
    const session = await login(person);
    const stream = await open(session.Token, parameters);
    await eventually(() => stream.events.length === 1);
    return { person, stream, ...session };
  };
  /** Changes a session's status like an administrator's process; with `publishes` also its cached copy. */
  const change = async (sessionId: string, status: SessionStatus, publishes = true) => {
    const end = { status, reason: 'administrator', changedBy: undefined } as const;
    await inTransaction(app().db, NO_DEADLINE, (tx) =>
      endSessions(app(), tx, { kind: 'session', sessionId }, end, undefined),
    );
    if (publishes) await publishSessions(app(), [sessionId]);
  };
  const told = ({ events }: EventStream) => events.map(({ data }) => data['PingStatus']);

  it('sends the status at once, reports the end by an administrator within a second, to no other session, and ends', async () => {
    const [{ stream, sessionId }, other] = [await watch(), await watch()];
    assert.equal(stream.events[0]?.event, 'status');
    assert.deepEqual(Object.keys(stream.events[0].data), ['PingStatus', 'At']);
    await change(sessionId, SessionStatus.Deactivated);
    await eventually(() => stream.isOver, 1);
    assert.deepEqual(told(other.stream), [PingStatus.Normal]);
    assert.deepEqual(told(stream), [PingStatus.Normal, PingStatus.SessionDeactivated]);
    assert.equal(stream.events[1]?.data['Reason'], 'session_deactivated');
  });

  it('reports an end that is not in Redis yet', async () => {
    const { stream, sessionId, Token } = await watch();
    await change(sessionId, SessionStatus.Deactivated, false);
    await eventually(() => stream.isOver, 1.5);
    assert.deepEqual(told(stream), [PingStatus.Normal, PingStatus.SessionDeactivated]);
    const again = await open(Token);
    await eventually(() => again.isOver, 2);
    assert.ok(!told(again).includes(PingStatus.Normal), 'it never says again that all is well');
  });

  it('sends a heartbeat every twenty seconds after reading the session', async () => {
    const { stream, sessionId } = await watch();
    app().clock.now = () => Date.now() + 25_000;
    await eventually(() => stream.comments === 1);
    await sql('update user_session set expires_at = now(), version = version + 1 where id = ?', [sessionId]);
    await publishSessions(app(), [sessionId]);
    app().clock.now = () => Date.now() + 50_000;
    // No change was recorded: only reading the session shows that it has expired.
    await eventually(() => stream.isOver);
    assert.equal(stream.comments, 1);
    assert.equal(stream.events.at(-1)?.data['Reason'], 'session_expired');
  });

  it('does not take back what it has said, where the cached copy is older', async () => {
    const person = await member();
    const { sessionId, Token } = await login(person);
    await eventually(async () => (await sql('select 1 from live_session_outbox')).length === 0);
    // A restriction whose copy has not been written yet.
    await sql('update user_session set status = 2, version = version + 1 where id = ?', [sessionId]);
    assert.equal((await app().sessionCache.read(person.id, sessionId))?.session.status, 1);
    const stream = await open(Token);
    await eventually(() => stream.events.length > 0);
    const said = told(stream);
    app().clock.now = () => Date.now() + 25_000;
    await eventually(() => stream.comments === 1);
    assert.deepEqual(told(stream), said);
  });

  it('ends 5 s after the token expires without a newer one', async () => {
    const { stream } = await watch();
    const lifetime = app().settings.ACCESS_TOKEN_SECONDS * 1000;
    app().clock.now = () => Date.now() + lifetime + 2000;
    await eventually(() => stream.comments === 1);
    assert.equal(stream.isOver, false);
    app().clock.now = () => Date.now() + lifetime + 6000;
    await eventually(() => stream.isOver);
    assert.deepEqual(told(stream), [PingStatus.Normal]);
  });

  it('counts as a ping on request only', async () => {
    const content = await newContent();
    const [present, silent] = [await watch(`?presence=true&contentDefinitionId=${content}`), await watch()];
    const lastPingOf = async ({ person, sessionId }: typeof present) =>
      (await app().service.sessionCache.read(person.id, sessionId))?.session;
    await eventually(async () => (await lastPingOf(present))?.contentDefinitionId === content);
    assert.ok(((await lastPingOf(present))?.lastPingAt ?? 0) > 0);
    assert.equal((await lastPingOf(silent))?.lastPingAt, 0);
  });
});
