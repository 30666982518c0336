import assert from 'node:assert/strict';
import { accountSettings } from '@gatehouse/accounts';
import { ConfigError, createMetrics, readConfig } from '@gatehouse/runtime';
import { Type } from '@gatehouse/schema';
import { cast } from '../testing/cast.ts';
import { checkRetention, retentionSettings, startRetention } from './retention.ts';

describe('startRetention', () => {
  const { app, member, sql } = cast({});

  it('counts deleted rows by table, from 0', async () => {
    const metrics = createMetrics('test');
    const works = new Map<string, () => Promise<unknown>>();
    const lifecycle = {
      every: (_: number, name: string, work: () => Promise<unknown>) => void works.set(name, work),
      stopping: false,
    };
    const settings = readConfig(Type.Object(retentionSettings()), {});
    startRetention(app().service, settings, { lifecycle, metrics });
    const { id } = await member();
    await sql(
      `insert into user_session (id, account_id, status, is_exclusive, refresh_current, refresh_next, expires_at, ended_at)
       select gen_random_uuid(), ?, 7, false, '', '', now(), now() - make_interval(days => days)
       from unnest(array[401, 500, 399]) days`,
      [id],
    );
    const unverified = await member();
    await sql(
      `update account set email_verified_at = null, created_at = now() - interval '15 days' where id = ?`,
      [unverified.id],
    );
    for (const work of works.values()) await work();
    const lines = (await metrics.metrics())
      .split('\n')
      .filter((line) => line.startsWith('gatehouse_retention'));
    assert.deepEqual(lines, [
      'gatehouse_retention_deleted_total{table="user_session",service="test"} 2',
      'gatehouse_retention_deleted_total{table="session_event",service="test"} 0',
      'gatehouse_retention_deleted_total{table="sign_in",service="test"} 0',
      'gatehouse_retention_deleted_total{table="audit",service="test"} 0',
      'gatehouse_retention_deleted_total{table="account",service="test"} 1',
    ]);
    assert.equal(works.size, 4, 'the audit and guests are kept for ever');
  });
});

describe('the settings of retention', () => {
  const read = (environment: Record<string, string>) => {
    const settings = readConfig(Type.Object(retentionSettings()), environment);
    checkRetention(settings);
    return settings;
  };

  it('default to 400 days for sessions and their history, 30 for sign-ins, 14 for unverified accounts, and forever for the audit and guests', () => {
    const standard = {
      SESSION_KEEP_DAYS: 400,
      SESSION_EVENT_KEEP_DAYS: 400,
      SIGN_IN_KEEP_DAYS: 30,
      AUDIT_KEEP_DAYS: 0,
      UNVERIFIED_KEEP_DAYS: 14,
      GUEST_ERASE_DAYS: 0,
    };
    assert.deepEqual(read({}), standard);
    assert.equal(read({ AUDIT_KEEP_DAYS: '90' }).AUDIT_KEEP_DAYS, 90);
  });

  for (const [name, value] of [
    ['SESSION_KEEP_DAYS', '89'],
    ['SESSION_EVENT_KEEP_DAYS', '6'],
    ['SIGN_IN_KEEP_DAYS', '0'],
    ['AUDIT_KEEP_DAYS', '89'],
  ] as const) {
    it(`have minimums: ${name}=${value}`, () => {
      assert.throws(() => read({ [name]: value }), ConfigError);
    });
  }

  it('keep the history of sessions for longer than any access token lives', () => {
    const seconds = boundsOf(accountSettings().ACCESS_TOKEN_SECONDS).maximum;
    const days = boundsOf(retentionSettings().SESSION_EVENT_KEEP_DAYS).minimum;
    assert.ok(seconds < days * 86_400, `${seconds} seconds, ${days} days`);
  });
});

/** The bounds of a schema, which its type does not contain. */
function boundsOf(schema: object): { minimum: number; maximum: number } {
  const { minimum = Number.NaN, maximum = Number.NaN } = schema as { minimum?: number; maximum?: number };
  return { minimum, maximum };
}
