import assert from 'node:assert/strict';
import { accountFixtures } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { openEvents, type EventStream } from '@gatehouse/http/testing';
import { eventually } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { during, startCore } from '../testing/index.ts';

describe('GET /session-event/stream', function () {
  this.timeout(30_000);
  const core = during(() => startCore());
  let people: ReturnType<typeof accountFixtures>;
  let service: string;
  let streams: EventStream[];
  before(async () => {
    people = accountFixtures(core.app);
    service = (await people.newToken({ role: 'Feed' })).Token;
  });
  beforeEach(() => {
    streams = [];
  });
  afterEach(() => {
    for (const stream of streams) stream.close();
  });

  const open = async (options: { query?: string; lastId?: string | undefined; token?: string } = {}) => {
    const { query: parameters = '', lastId, token = service } = options;
    const stream = await openEvents(`${core.url}/session-event/stream${parameters}`, {
      ...core.bearer(token),
      ...(lastId !== undefined && { 'last-event-id': lastId }),
    });
    streams.push(stream);
    return stream;
  };
  /** A stream that has received its start position. */
  const follow = async (options?: Parameters<typeof open>[0]) => {
    const stream = await open(options);
    await eventually(() => stream.lastId !== undefined);
    return stream;
  };
  const insert = (sessionId: string, status: number, executor = core.app.db) =>
    query(
      executor,
      `insert into session_event (session_id, account_id, status, reason, token_expires_at)
       values (?, ?, ?, 'a test', now())`,
      [sessionId, newId(), status],
    );
  const sessionsOf = ({ events }: EventStream) => events.map(({ data }) => data['SessionId']);

  it('starts with the present, and sends every change within a second, or ends alone', async () => {
    await insert(newId(), 4);
    const [stream, ends] = [await follow(), await follow({ query: '?ended=true' })];
    const person = await people.newAccount();
    const one = await people.login(person);
    const two = await people.login(person);
    const known = new Set<unknown>([one.sessionId, two.sessionId]);
    // Unsettled changes are sent again, including earlier ones: transactions of other tests delay settling.
    const own = () => stream.events.filter(({ data }) => known.has(data['SessionId']));
    await eventually(() => own().length >= 3, 2);
    assert.deepEqual(
      own().map(({ event, data }) => [event, data['SessionId'], data['Status']]),
      [
        ['active', one.sessionId, 1],
        ['ended', one.sessionId, 3],
        ['active', two.sessionId, 1],
      ],
    );
    await eventually(() => sessionsOf(ends).includes(one.sessionId));
    assert.ok(!sessionsOf(ends).includes(two.sessionId));
    const fields = Object.keys(stream.events[0]?.data ?? {}).toSorted();
    assert.deepEqual(fields, ['ChangedAt', 'SessionId', 'Status', 'TokenExpiresAt']);
  });

  it('sends all missed changes on reconnect', async () => {
    const first = await follow();
    const { lastId: start } = first;
    const seen = newId();
    await insert(seen, 4);
    await eventually(() => sessionsOf(first).includes(seen) && first.lastId !== start);
    const { lastId } = first;
    first.close();
    const missed = Array.from({ length: 450 }, () => newId());
    for (const id of missed) await insert(id, 4);
    const second = await follow({ lastId });
    const later = newId();
    await insert(later, 4);
    await eventually(() => sessionsOf(second).includes(later));
    const known = new Set<unknown>([...missed, later]);
    const got = sessionsOf(second).filter((id) => known.has(id));
    assert.deepEqual([...new Set(got)], [...missed, later]);
  });

  it('sends thousands of changes that wait for an older transaction, also to new subscribers', async () => {
    const first = await follow();
    const older = await core.app.db.transaction();
    await query(older, 'select pg_current_xact_id()');
    await query(
      core.app.db,
      `insert into session_event (session_id, account_id, status, reason, token_expires_at)
       select gen_random_uuid(), ?, 4, 'a test', now() from generate_series(1, 10000)`,
      [newId()],
    );
    const isTold = (stream: EventStream) =>
      eventually(() => stream.isOver || new Set(sessionsOf(stream)).size >= 10_000, 20);
    await isTold(first);
    const second = await open();
    await isTold(second);
    await older.commit();
    assert.deepEqual([first.isOver, second.isOver], [false, false]);
  });

  it('returns the account of a session to administrators only', async () => {
    const { Token } = await people.newToken({ role: 'Admin' });
    const stream = await follow({ token: Token });
    const person = await people.newAccount();
    await people.login(person);
    await eventually(() => stream.events.some(({ data }) => data['UserId'] === person.id));
  });

  it('ends for a revoked token', async () => {
    const token = await people.newToken();
    const stream = await follow({ token: token.Token });
    await query(core.app.db, 'update api_token set revoked_at = now() where id = ?', [token.id]);
    await eventually(async () => {
      const { status } = await core.http.get('/ping/auth').set(core.bearer(token.Token));
      return status === 401;
    });
    const later = newId();
    await insert(later, 4);
    await eventually(() => stream.isOver, 2);
    assert.ok(!sessionsOf(stream).includes(later));
  });

  it('refuses invalid ids', async () => {
    assert.equal((await open({ lastId: 'nonsense' })).status, 400);
  });
});
