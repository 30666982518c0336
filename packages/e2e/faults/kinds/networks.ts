import type { Dependency, FaultWorld } from '../fault-world.ts';
import type { Fault } from '../run-fault.ts';

/** The network faults. */
const FAULTS = {
  'refuses connections': (proxy) => proxy.refuse(),
  'resets connections': (proxy) => proxy.reset(),
  'swallows everything': (proxy) => proxy.blackHole(),
  'takes 300 ms longer': (proxy) => proxy.delay(150),
  'has forgotten its connections': (proxy) => proxy.halfOpen(),
} as const satisfies Record<string, (proxy: FaultWorld['proxies'][Dependency]) => unknown>;

const NAMES: Record<Dependency, string> = {
  postgres: 'Postgres',
  redis: 'Redis',
  rabbitmq: 'RabbitMQ',
  smtp: 'the mail server',
};

/**
 * Without Postgres, pings of sessions that Redis knows continue to work. No call depends on Redis, RabbitMQ or the
 * mail server.
 */
const UNDISTURBED = { postgres: 'pings', redis: 'calls', rabbitmq: 'calls', smtp: 'calls' } as const;

/** How many mails are sent again after a fault that delays mails (decision 17). */
const IN_DOUBT: Partial<Record<Dependency, 0 | 1>> = { rabbitmq: 0, smtp: 1 };

/** Every network fault for every dependency. */
export function networkFaults(given: () => FaultWorld): Fault[] {
  return (Object.keys(NAMES) as Dependency[]).flatMap((dependency) =>
    Object.entries(FAULTS).map(([what, begin]) => ({
      name: `the way to ${NAMES[dependency]} ${what}`,
      begin: () => begin(given().proxies[dependency]),
      end: () => given().proxies[dependency].heal(),
      undisturbed: UNDISTURBED[dependency],
      mailsInDoubt: IN_DOUBT[dependency],
    })),
  );
}
