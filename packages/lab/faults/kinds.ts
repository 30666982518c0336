import type { FaultWorld, Dependency } from './fault-world.ts';
import { DISCONNECT, runOnPostgres, runOnRedis } from './servers.ts';
import type { Behaviour, Stage as MailStage } from '../../e2e/src/world/mail-sink.ts';
import type { Fault, Stage } from './run-fault.ts';

/** Faults of the servers themselves. */
export function serverFaults(stage: Stage): Fault[] {
  return [...postgresFaults(stage), ...redisFaults(stage), ...rabbitFaults(stage), ...mailFaults(stage)];
}

function postgresFaults(stage: Stage): Fault[] {
  const sql = (...statements: string[]) => runOnPostgres(stage.world, ...statements);
  const failing = (what: string, sqlState: string): Fault => ({
    name: `Postgres: every insert of a session or an account fails (${what}, ${sqlState})`,
    undisturbed: 'pings',
    begin: () =>
      sql(
        `create or replace function fault() returns trigger language plpgsql as $$
           begin raise exception 'injected' using errcode = '${sqlState}'; end $$`,
        'create trigger fault before insert on account execute function fault()',
        'create trigger fault before insert on user_session execute function fault()',
      ),
    end: () => sql('drop trigger fault on account', 'drop trigger fault on user_session'),
  });
  return [
    { name: 'Postgres is frozen', undisturbed: 'pings', ...freezing(stage, 'postgres') },
    { name: 'Postgres is killed and started again', undisturbed: 'pings', ...holding(stage, 'postgres') },
    {
      name: 'Postgres is read-only, as after a failover',
      undisturbed: 'pings',
      begin: () => sql('alter database gatehouse set default_transaction_read_only = on', DISCONNECT),
      end: () =>
        sql(
          'set default_transaction_read_only = off',
          'alter database gatehouse reset default_transaction_read_only',
          DISCONNECT,
        ),
    },
    {
      name: 'Postgres has no connection left',
      undisturbed: 'pings',
      begin: () => sql('alter database gatehouse connection limit 0', DISCONNECT),
      end: () => sql('alter database gatehouse connection limit -1'),
    },
    failing('disk full', '53100'),
    failing('cancelled', '57014'),
    failing('serialisation', '40001'),
    failing('deadlock', '40P01'),
  ];
}

function redisFaults(stage: Stage): Fault[] {
  const redis = (...commands: string[]) => runOnRedis(stage.world, ...commands);
  const undisturbed = 'calls' as const;
  return [
    { name: 'Redis is frozen', undisturbed, ...freezing(stage, 'redis') },
    { name: 'Redis is restarted empty', undisturbed, ...holding(stage, 'redis') },
    { name: 'Redis is flushed', undisturbed, seconds: 1, begin: () => redis('FLUSHALL') },
    {
      name: 'Redis is out of memory',
      undisturbed,
      begin: () => redis('CONFIG SET maxmemory 1'),
      end: () => redis('CONFIG SET maxmemory 0'),
    },
    {
      name: 'Redis is a read-only replica of nobody',
      undisturbed,
      begin: () => redis('REPLICAOF 127.0.0.1 1'),
      end: () => redis('REPLICAOF NO ONE'),
    },
  ];
}

function rabbitFaults(stage: Stage): Fault[] {
  const rabbit = (...words: string[]) => stage.world.stack.runCompanion('rabbitmq', 'rabbitmqctl', words);
  const undisturbed = 'calls' as const;
  return [
    { name: 'RabbitMQ is frozen', undisturbed, ...freezing(stage, 'rabbitmq') },
    { name: 'RabbitMQ is killed and started again', undisturbed, ...holding(stage, 'rabbitmq') },
    {
      name: 'RabbitMQ: the queue of mails is deleted',
      undisturbed,
      seconds: 1,
      begin: () => rabbit('delete_queue', 'mail'),
    },
    {
      name: 'RabbitMQ: the exchange is deleted',
      undisturbed,
      seconds: 1,
      begin: () => rabbit('eval', DELETE_EXCHANGE),
    },
    {
      name: 'RabbitMQ: all rights are revoked',
      undisturbed,
      begin: () => rabbit('clear_permissions', 'gatehouse'),
      end: () => rabbit('set_permissions', 'gatehouse', '.*', '.*', '.*'),
    },
    {
      name: 'RabbitMQ blocks publishers by a memory alarm',
      undisturbed,
      begin: () => rabbit('set_vm_memory_high_watermark', '0.00001'),
      end: () => rabbit('set_vm_memory_high_watermark', '0.8'),
    },
  ];
}

const DELETE_EXCHANGE =
  'rabbit_exchange:delete({resource, <<"/">>, exchange, <<"account.events">>}, false, <<"fault">>).';

function mailFaults(stage: Stage): Fault[] {
  const undisturbed = 'calls' as const;
  const fault = (name: string, behaviour: Behaviour): Fault => ({
    name: `the mail server ${name}`,
    undisturbed,
    begin: () => (stage.world.sink.behaviour = behaviour),
    end: () => (stage.world.sink.behaviour = undefined),
  });
  const only = (where: MailStage, reply: string): Behaviour => {
    return (at) => (at === where ? reply : undefined);
  };
  return [
    fault('greets nobody', only('greeting', 'silent')),
    fault('turns everybody away', only('greeting', '421 too busy')),
    fault('defers every recipient', only('to', '451 later')),
    fault('takes mails and breaks off before it says so', only('content', 'break')),
  ];
}

/** Freezes a server's process (SIGSTOP), and later lets it continue. */
function freezing(stage: Stage, name: string) {
  return {
    begin: () => stage.world.stack.kill(name, 'SIGSTOP'),
    end: () => stage.world.stack.kill(name, 'SIGCONT'),
  };
}

function holding(stage: Stage, name: string) {
  return { begin: () => stage.world.stack.hold(name), end: () => stage.world.stack.release(name) };
}

/** The network faults. */
const FAULTS = {
  'refuses connections': (proxy) => proxy.refuse(),
  'resets connections': (proxy) => proxy.reset(),
  'swallows everything': (proxy) => proxy.blackHole(),
  'takes 300 ms longer': (proxy) => proxy.delay(150),
  'has forgotten its connections': (proxy) => proxy.halfOpen(),
} as const satisfies Record<string, (proxy: FaultWorld['proxies'][Dependency]) => unknown>;

/**
 * Without Postgres, pings of sessions that Redis knows continue to work. No call depends on Redis, RabbitMQ or the
 * mail server. At the end: how many mails are sent again after a fault that delays mails (decision 17).
 */
const WAYS: [Dependency, string, 'pings' | 'calls', Fault['mailsInDoubt']?][] = [
  ['postgres', 'Postgres', 'pings'],
  ['redis', 'Redis', 'calls'],
  ['rabbitmq', 'RabbitMQ', 'calls', 0],
  ['smtp', 'the mail server', 'calls', 1],
];

/** Every network fault for every dependency. */
export function networkFaults(stage: Stage): Fault[] {
  return WAYS.flatMap(([dependency, name, undisturbed, mailsInDoubt]) =>
    Object.entries(FAULTS).map(([what, begin]) => ({
      name: `the way to ${name} ${what}`,
      begin: () => begin(stage.world.proxies[dependency]),
      end: () => stage.world.proxies[dependency].heal(),
      undisturbed,
      mailsInDoubt,
    })),
  );
}

/** Faults of the services themselves: each is killed, and each is frozen for a while. */
export function serviceFaults(stage: Stage): Fault[] {
  return (['core', 'portal', 'admin', 'mail-worker'] as const).flatMap((service) => {
    const isCalled = service === 'core' || service === 'portal';
    const each = {
      seconds: 1,
      breaksConnections: isCalled,
      ...(!isCalled && { undisturbed: 'calls' as const }),
    };
    return [
      { ...each, name: `${service} is killed and started again`, ...holding(stage, service) },
      { ...each, name: `${service} is frozen and goes on`, ...freezing(stage, service) },
    ];
  });
}
