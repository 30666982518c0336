import assert from 'node:assert/strict';
import { openTestAccounts, type TestAccounts } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { eventually, type ProxiedMessage, Proxy } from '@gatehouse/runtime/testing';
import { ALL_ROUTES, nameOf } from '@gatehouse/codegen';
import { reachCallback, startServicesWithProvider } from '../requests/demo-provider.ts';
import { changes } from '../roles/watch.ts';
import { createEffectiveRequests, type EffectiveRequest } from '../requests/effective-requests.ts';

/** Connections of one service: enough for all requests that are sent to it at once. */
const POOL = 25;
const TRIES_MAX = 4;
/** These write only to Redis. The data reaches Postgres later, in the background. */
const NOT_TO_POSTGRES = ['POST /account/ping', 'POST /account/invitation', 'POST /console/session/ping'];
/** Reads whose tokens and codes are too long, or too secret, for a URL, and the way from a form to the callback. */
const READING = [
  'POST /account/code',
  'POST /account/registration',
  'POST /auth/{provider}/callback',
  'POST /oauth/introspect',
  'POST /oauth/userinfo',
];
/** The callback is a GET, but opens a session. */
const WRITING = ALL_ROUTES.filter(({ route }) => {
  const name = nameOf(route);
  return route.method === 'get'
    ? name === 'GET /auth/{provider}/callback'
    : ![...NOT_TO_POSTGRES, ...READING].includes(name);
});

describe('every call that writes, when Postgres is too slow for it', function () {
  this.timeout(120_000);
  let app: TestAccounts;
  let proxy: Proxy;
  let services: Awaited<ReturnType<typeof startServicesWithProvider>>;
  const writes: EffectiveRequest[] = [];
  before(async () => {
    app = await openTestAccounts();
    await app.relay.stop();
    const { hostname: host, port } = new URL(app.settings.DATABASE_URL);
    proxy = await Proxy.open({ host, port: Number(port) }, 'postgres');
    const settings = {
      DATABASE_URL: proxy.reroute(app.settings.DATABASE_URL),
      DATABASE_POOL_MAX: POOL,
      SINGLE_SESSION: true,
      MAILS_PER_HOUR: 50,
    };
    services = await startServicesWithProvider(settings, { app });
    const startedAt = app.clock.now();
    app.clock.now = () => startedAt;
    const requestsOf = createEffectiveRequests(services);
    for (const entry of WRITING) writes.push(...(await requestsOf(entry)));
    // The codes expire after a minute, which is less than the tests take.
    for (const table of ['handover_code', 'console_code', 'sign_on_code', 'identity_link', 'oauth_code'])
      await query(app.db, `update ${table} set expires_at = now() + interval '1 hour'`);
    for (const table of ['live_session_outbox', 'reset_request'])
      await eventually(async () => !(await query.any(app.db, `select 1 from ${table}`)));
  });
  afterEach(() => proxy.heal());
  after(async () => {
    await services.stop();
    await proxy.close();
    await app.stop();
  });

  const sendOne = async ({ name, api, sent }: EffectiveRequest): Promise<[string, string]> => {
    const { status, text } = await services.send(api, sent);
    return [name, status < 400 ? 'done' : status === 503 ? '503' : `${status} ${text}`];
  };
  const all = (answer: string) => Object.fromEntries(writes.map(({ name }) => [name, answer]));
  const isAtRest = async (): Promise<boolean> => {
    const sql = `select 1 from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`;
    return !(await query.any(app.db, sql));
  };
  /** Waits until everything that was sent to Postgres has arrived and finished. */
  const isOver = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, 2500));
    await proxy.heal();
    await eventually(isAtRest, 10);
  };
  const haveNoEffect = async (): Promise<void> => {
    const before = await picture(app);
    const answers = await Promise.all(writes.map(sendOne));
    assert.deepEqual(Object.fromEntries(answers), all('503'));
    await isOver();
    assert.deepEqual(changes(before, await picture(app)), []);
    assert.deepEqual(await refusedSessions(), []);
  };
  /** Callers whose cached session no longer gives access after their request. */
  const refusedSessions = async (): Promise<string[]> => {
    const asked = writes.map(async ({ name, sent: { headers } }) => {
      const authorization = headers?.['authorization'];
      if (authorization === undefined) return [];
      const { status, text } = await services.call('GET /ping/auth', { headers: { authorization } });
      return status === 200 ? [] : [`${name}: ${status} ${text}`];
    });
    return (await Promise.all(asked)).flat();
  };

  it('has no effect when its commit comes after its answer', async () => {
    let commits = 0;
    // On a busy machine some requests do not get as far as their commit.
    for (let tries = 0; tries < TRIES_MAX && commits <= writes.length / 2; tries += 1) {
      await services.warm(POOL);
      commits = 0;
      // Only BEGIN and COMMIT are slow: everything is written except for the commit.
      proxy.tap = (message) => {
        const boundary = boundaryIn(message);
        if (boundary === 'COMMIT') commits += 1;
        return boundary === undefined ? 'pass' : 2300;
      };
      await haveNoEffect();
    }
    assert.ok(commits > writes.length / 2, `${commits} of ${writes.length} got as far as their commit`);
  });

  it('has no effect when every statement takes long', async () => {
    await services.warm(POOL);
    proxy.delay(800);
    await haveNoEffect();
  });

  for (const [whose, search] of [
    ['an app', ''],
    ['the login page', `?pages=true&state=${'s'.repeat(43)}`],
  ] as const) {
    it(`opens no session of ${whose}, and creates no account, if only the steps after the identity provider’s response are slow`, async () => {
      const sent = await reachCallback(services, services.provider.id, search);
      const before = await picture(app);
      services.provider.seen.length = 0;
      const hasAnswered = () => services.provider.seen.includes('/token');
      proxy.tap = (message) => (hasAnswered() && boundaryIn(message) !== undefined ? 2300 : 'pass');
      assert.equal((await services.send('Admin', sent)).status, 503);
      assert.ok(hasAnswered());
      await isOver();
      const [used, ...others] = changes(before, await picture(app));
      assert.match(String(used), /^\+ sso_attempt /);
      assert.deepEqual(others, []);
    });
  }

  it('succeeds when retried', async () => {
    // One after the other: this test is not about load.
    const answers: [string, string][] = [];
    for (const write of writes) answers.push(await sendOne(write));
    assert.deepEqual(Object.fromEntries(answers), all('done'));
  });
});

function boundaryIn({ direction, frame }: ProxiedMessage): 'BEGIN' | 'COMMIT' | undefined {
  const [, sql = ''] = (direction === 'up' && /^Q[^]{4}([^]*)/.exec(frame.toString('latin1'))) || [];
  if (sql.startsWith('BEGIN;')) return 'BEGIN';
  return sql.includes('COMMIT;') ? 'COMMIT' : undefined;
}

/** Counters that are increased before the attempt that they count is checked (docs/decisions/0029-deadlines.md). */
const COUNTERS: Partial<Record<string, string>> = {
  account_code: `- 'tries' - 'tries_left'`,
  login_code_request: `- 'tries_left'`,
  earlier_verify_code: `- 'tries' - 'tries_left'`,
  two_factor_challenge: `- 'tries_left'`,
};

/** Every row of every table, without statistics and counts of attempts, which change even if a request fails. */
async function picture({ db }: TestAccounts): Promise<Set<string>> {
  const sql = `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE'
       and table_name not in ('activity', 'login_throttle')`;
  const tables = await query.column<string>(db, sql);
  const selects = tables.map(
    (name) => `select '${name} ' || (to_jsonb(t) ${COUNTERS[name] ?? ''})::text as row from "${name}" t`,
  );
  return new Set(await query.column<string>(db, selects.join(' union all ')));
}
