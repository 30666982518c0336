import assert from 'node:assert/strict';
import type { Executor } from '@gatehouse/db';
import { cast } from '../testing/cast.ts';
import { findIdsOf } from './store.ts';

describe('query plans of admin lists', () => {
  const { member, sql } = cast({});
  before(async () => {
    const { id } = await member();
    const statement = `insert into user_session (
         id, account_id, status, is_exclusive, refresh_current, refresh_next, expires_at, ended_at, ip_address,
         sso_provider, device_name, end_reason)
       select gen_random_uuid(), ?, 7, false, '', '', now(), now(), inet '10.0.0.0' + n,
         case when n % 3 = 0 then 'p' || n % 50 end, case when n % 2 = 0 then 'd' || n % 20 end,
         case when n % 40 = 0 then 'replaced' else 'expired' end
       from generate_series(1, 20000) n`;
    await sql(statement, [id]);
    const insertLoginThrottle = `insert into login_throttle (email_key, failures, blocked_until)
       select n, 1, case when n % 1000 = 0 then now() + interval '1 minute' end from generate_series(1, 20000) n`;
    await sql(insertLoginThrottle);
    await sql('analyze user_session, login_throttle');
  });

  const planOf = async (statement: string): Promise<string> => {
    const plan = await sql<Record<string, string>>(`explain ${statement}`);
    return plan.map((row) => row['QUERY PLAN']).join('\n');
  };

  const LISTED = "id < 'ffffffff-ffff-ffff-ffff-ffffffffffff' and";
  const network = "cast('10.0.7.0/24' as inet)";
  for (const [index, statement] of [
    ['user_session_address', `${LISTED} ip_address = inet '10.0.0.7' order by id desc limit 51`],
    ['user_session_provider', `${LISTED} sso_provider = 'p3' order by id desc limit 51`],
    ['user_session_device', `${LISTED} device_name = 'd2' order by id desc limit 51`],
    ['user_session_end_reason', `${LISTED} end_reason = 'replaced' order by id desc limit 51`],
    [
      'user_session_address',
      `ip_address >= cast(host(network(${network})) as inet)
         and ip_address <= cast(host(broadcast(${network})) as inet) limit 5001`,
    ],
    ['user_session_idle', 'ended_at is null and last_seen_at < now() order by last_seen_at limit 5001'],
    [
      'user_session_ended',
      "ended_at >= now() - interval '2 h' and ended_at < now() - interval '1 h' limit 5001",
    ],
  ] as const)
    it(`use ${index} for sessions where ${statement.slice(0, 80)}`, async () => {
      const text = await planOf(`select id from user_session where ${statement}`);
      const scan = statement.startsWith(LISTED) ? 'Index (Only )?Scan Backward using ' : '';
      assert.match(text, new RegExp(`${scan}${index}`));
      assert.doesNotMatch(text, statement.startsWith(LISTED) ? /Sort|Seq Scan/ : /Seq Scan/);
    });

  it('use indexes for rare values in prepared statements', async () => {
    const statements: string[] = [];
    const recorder = { raw: (text: string) => (statements.push(text), Promise.resolve({ rows: [] })) };
    // The part of an executor that a query uses.
    await findIdsOf(recorder as unknown as Executor, 'device_name', ['d2']);
    const literal = (statements[0] ?? '').replaceAll(':value', "(select 'nobody')").replace(':max', '5001');
    assert.match(await planOf(literal), /user_session_device/);
  });

  it('use an index for throttled accounts', async () => {
    const text = await planOf(
      'select email_key from login_throttle where blocked_until > now() order by blocked_until desc limit 10000',
    );
    assert.match(text, /login_throttle_waiting/);
    assert.doesNotMatch(text, /Seq Scan/);
  });
});
