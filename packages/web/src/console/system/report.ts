import { clockDifference, type System } from './system.ts';

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
