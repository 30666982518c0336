import type { TextKey } from '../text.ts';
import type { Values } from '../../ui/locale/locale.ts';
import { CLOCK_SECONDS_MAX, clockDifference, type System } from './system.ts';

/** A problem that an operator should solve. */
export interface Finding {
  key: TextKey;
  values?: Values;
}

/** The problems of an installation that its reported state reveals. */
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
