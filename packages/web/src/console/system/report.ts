import type { Values } from '../../ui/locale.ts';
import type { Answer } from '../api/call-api.ts';
import type { TextKey } from '../text.ts';

export type System = Answer<'GET /admin/system'>;

/** How many seconds the server's clock was ahead of the browser's when the answer arrived. */
export function clockDifference({ Time }: System, receivedAt: number): number {
  return Math.round((Date.parse(Time) - receivedAt) / 1000);
}

/** Smaller differences are normal: creating and transferring the answer takes time. */
export const CLOCK_SECONDS_MAX = 5;

/** A problem that an operator should solve. */
interface Finding {
  key: TextKey;
  values?: Values;
}

export function findingsOf(system: System, receivedAt: number): Finding[] {
  const { Dependencies, Migrations, RedisMemory, Queues, LastMailError } = system;
  const seconds = clockDifference(system, receivedAt);
  const found: (Finding | false)[] = [
    ...Dependencies.filter(({ IsReachable }) => !IsReachable).map(({ Name }): Finding => ({
      key: 'system.finding.away',
      values: { name: Name },
    })),
    Migrations.Missing.length > 0 && {
      key: 'system.finding.migrations',
      values: { count: Migrations.Missing.length },
    },
    RedisMemory !== null &&
      RedisMemory.EvictedKeys > 0 && {
        key: 'system.finding.evicted',
        values: { count: RedisMemory.EvictedKeys },
      },
    RedisMemory !== null &&
      RedisMemory.Policies.some((policy) => policy !== 'noeviction') && { key: 'system.finding.policy' },
    ...(Queues ?? []).flatMap(({ Name, Messages, Consumers }): Finding[] => {
      const values = { name: Name, count: Messages };
      if (Name.endsWith('.dead')) return Messages > 0 ? [{ key: 'system.finding.dead', values }] : [];
      if (Name.includes('.retry.')) return [];
      return Consumers === 0 ? [{ key: 'system.finding.noConsumer', values }] : [];
    }),
    LastMailError !== null && { key: 'system.finding.mail', values: { error: LastMailError } },
    Math.abs(seconds) > CLOCK_SECONDS_MAX && {
      key: 'system.finding.clock',
      values: { count: Math.abs(seconds) },
    },
  ];
  return found.filter((one) => one !== false);
}

/** A text to attach to a bug report. It contains no secrets, because the API returns none. */
export function reportOf(system: System, receivedAt: number): string {
  const { Version, NodeVersion, Time, Migrations, Dependencies, Queues, RedisMemory, Outbox, Mails } = system;
  const lines = [
    `Gatehouse ${Version}, Node ${NodeVersion}`,
    `Time ${Time}, browser ${clockDifference(system, receivedAt)} s behind`,
    `Browser ${navigator.userAgent}`,
    `Migrations ${Migrations.Applied.at(-1) ?? 'none'}, missing: ${Migrations.Missing.join(', ') || 'none'}`,
    ...Dependencies.map(
      ({ Name, IsReachable, Version: version }) =>
        `${Name} ${version ?? ''} ${IsReachable ? 'reachable' : 'NOT REACHABLE'}`,
    ),
    `Outbox ${Outbox.Waiting} waiting, oldest ${Outbox.OldestSeconds} s`,
    `Mails ${Mails.Waiting} waiting, oldest ${Mails.OldestSeconds} s`,
    ...(Queues ?? []).map(
      ({ Name, Messages, Consumers }) => `Queue ${Name}: ${Messages} messages, ${Consumers} consumers`,
    ),
    `Redis evicted ${RedisMemory?.EvictedKeys ?? '?'}, policy ${RedisMemory?.Policies.join(', ') ?? '?'}`,
    '',
    ...system.Settings.flatMap(({ Name, Value }) => (Value === null ? [] : [`${Name}=${Value}`])),
  ];
  return `${lines.join('\n')}\n`;
}
