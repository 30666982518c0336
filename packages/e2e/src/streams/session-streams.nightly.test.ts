import assert from 'node:assert/strict';
import { connectDb, query } from '@gatehouse/db';
import { openEvents, type EventStream } from '@gatehouse/http/testing';
import { eventually } from '@gatehouse/runtime/testing';
import { PASSWORD, startWorld, type World } from '../testing/index.ts';
import { followFeed, type FeedFollower } from './feed-follower.ts';

/** Five streams per session and a hundred per account: the maximum. */
const STREAMS_EACH = 5;
const SESSIONS_EACH = 20;
const ACCOUNTS = 20;
const SESSIONS = ACCOUNTS * SESSIONS_EACH;
const SESSIONS_AT_ONCE = 4;
const KICKS = 60;

describe('event streams on two instances', function () {
  this.timeout(240_000);
  let world: World;
  let adminToken: string;
  let service: string;
  const emails: string[] = [];
  let feed: FeedFollower;
  before(async () => {
    world = await startWorld(
      { SINGLE_SESSION: 'false', CONNECTIONS_PER_ADDRESS: '5000' },
      { scale: 2, ownServers: true },
    );
    const { admin } = world.stack.facts;
    adminToken = (await world.login(admin.Email, admin.Password)).Token;
    service = String((await administer('/admin/api-token', { Name: 'A resource server' }))['Token']);
    while (emails.length < ACCOUNTS) {
      const email = world.someEmail();
      await administer('/admin/account', { Email: email, Password: PASSWORD });
      emails.push(email);
    }
    feed = await followFeed(world.stack.facts.baseUrl, service);
  });
  after(async () => {
    await feed.stop();
    await world.stop();
  });

  const administer = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const response = await fetch(`${world.stack.facts.adminUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    });
    const answer = (await response.json()) as Record<string, unknown>;
    if (!response.ok) throw new Error(`POST ${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const newSession = async (email = emails[0] ?? '') => {
    // A busy machine may answer 503 to some of many logins.
    const { Token } = await eventually(() => world.login(email));
    const { sid } = JSON.parse(Buffer.from(Token.split('.')[1] ?? '', 'base64url').toString()) as {
      sid: string;
    };
    return { Token, sid };
  };
  const kick = (sid: string) => administer('/admin/user-session', { SessionId: sid, Status: 4 });
  const open = async (base: string, token: string): Promise<EventStream> => {
    const stream = await openEvents(`${base}/account/session/stream`, { authorization: `Bearer ${token}` });
    assert.equal(stream.status, 200, stream.text);
    return stream;
  };
  const told = ({ events }: EventStream) => events.map(({ data }) => data['PingStatus']);
  /** A stream of a new session, through the gateway. */
  const watch = async () => {
    const session = await newSession();
    const stream = await open(world.stack.facts.baseUrl, session.Token);
    await eventually(() => stream.events.length === 1);
    return { ...session, stream };
  };

  /** Makes Postgres write all commits to disk. Throw-away servers respond before that, and this one will be killed. */
  const flush = async (): Promise<void> => {
    const db = connectDb({ url: world.stack.facts.databaseUrl, applicationName: 'test', poolMax: 1 });
    await query(db, 'set synchronous_commit = on');
    await query(db, "select pg_logical_emit_message(true, 'test', '')");
    await db.destroy();
  };

  /**
   * While a dependency is down: a kick is delivered, no stream reports a revoked session as active again, and the feed
   * misses no event.
   */
  const survives = async (name: string, kicks: 'while it is away' | 'once it is back') => {
    const { sid, Token, stream } = await watch();
    await flush();
    await world.stack.hold(name);
    if (kicks === 'while it is away') await kick(sid);
    else await assert.rejects(kick(sid));
    await world.stack.release(name);
    await eventually(() => kick(sid).then(() => true), 30);
    await eventually(() => feed.ended.has(sid), 30);
    await eventually(() => stream.isOver, 30);
    assert.ok(!told(stream).slice(1).includes(1), JSON.stringify(told(stream)));
    const again = await openEvents(`${world.stack.facts.baseUrl}/account/session/stream`, {
      authorization: `Bearer ${Token}`,
    });
    await eventually(() => again.isOver);
    assert.ok(!told(again).includes(1));
  };

  it('report the end of a session while Redis is down, and after it', () =>
    survives('redis', 'while it is away'));

  it('miss nothing when Postgres restarts', () => survives('postgres', 'once it is back'));

  it('miss nothing when their own process is killed', async () => {
    const { sid, stream } = await watch();
    const { returns } = feed;
    for (const name of ['core', 'core-2', 'portal', 'portal-2']) world.stack.kill(name, 'SIGKILL');
    await kick(sid);
    await eventually(() => feed.ended.has(sid), 30);
    assert.ok(feed.returns > returns);
    await eventually(() => stream.isOver, 30);
  });

  it(`report ended sessions to ${SESSIONS * STREAMS_EACH} clients behind the gateway within a second`, async () => {
    const instances = await eventually(async () => {
      const { core = [], portal = [], admin = [] } = world.stack.facts.instances ?? {};
      const all = [...core, ...portal, ...admin].map(({ internalUrl }) =>
        fetch(`${internalUrl}/health/ready`),
      );
      return (await Promise.all(all)).every(({ ok }) => ok) && portal;
    }, 30);
    const { baseUrl } = world.stack.facts;
    const sessions: { sid: string; streams: EventStream[] }[] = [];
    const owners = Array.from({ length: SESSIONS }, (_, n) => emails[n % ACCOUNTS]).values();
    const openSessions = async (): Promise<void> => {
      for (const owner of owners) {
        const session = await newSession(owner);
        const opening = Array.from({ length: STREAMS_EACH }, () => open(baseUrl, session.Token));
        sessions.push({ ...session, streams: await Promise.all(opening) });
      }
    };
    await Promise.all(Array.from({ length: SESSIONS_AT_ONCE }, openSessions));
    await eventually(() =>
      sessions.every(({ streams }) => streams.every(({ events }) => events.length === 1)),
    );

    const delays: number[] = [];
    for (const { sid, streams } of sessions.slice(0, KICKS)) {
      const startedAt = performance.now();
      const ends = streams.map(async (stream) => {
        await eventually(() => stream.isOver);
        delays.push(performance.now() - startedAt);
      });
      await Promise.all([kick(sid), ...ends]);
    }
    const p99 = delays.toSorted((a, b) => a - b)[Math.floor(delays.length * 0.99)] ?? Infinity;
    assert.ok(p99 < 1000, `99 of 100 were told within ${Math.round(p99)} ms`);
    assert.ok(sessions.slice(KICKS).every(({ streams }) => streams.every(({ isOver }) => !isOver)));
    for (const { streams } of sessions) for (const stream of streams) stream.close();
    await eventually(async () => {
      const texts = instances.map(async ({ internalUrl }) => (await fetch(`${internalUrl}/metrics`)).text());
      return (await Promise.all(texts)).every((text) => /^gatehouse_streams_open\{.*\} 0$/m.test(text));
    });
  });
});
