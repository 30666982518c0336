import { DISCONNECT, runOnPostgres, runOnRedis, type Dependency, type FaultWorld } from './fault-world.ts';
import type { Stage as MailStage } from '../../e2e/src/world/mail-sink.ts';
import type { Fault, Stage } from './run-fault.ts';

export function everyFault(stage: Stage): Fault[] {
  const ofServers = [postgresFaults, redisFaults, rabbitFaults, mailFaults];
  return [networkFaults, ...ofServers, processFaults].flatMap((faults) => faults(stage));
}

function postgresFaults(stage: Stage): Fault[] {
  const sql = (...statements: string[]) => runOnPostgres(stage.world, ...statements);
  const fault = (name: string, begin: string[], end: string[]): Fault => ({
    name,
    undisturbed: 'pings',
    begin: () => sql(...begin),
    end: () => sql(...end),
  });
  const failing = (what: string, sqlState: string): Fault =>
    fault(
      `Postgres: every insert of a session or an account fails (${what}, ${sqlState})`,
      [
        `create or replace function fault() returns trigger language plpgsql as $$
           begin raise exception 'injected' using errcode = '${sqlState}'; end $$`,
        'create trigger fault before insert on account execute function fault()',
        'create trigger fault before insert on user_session execute function fault()',
      ],
      ['drop trigger fault on account', 'drop trigger fault on user_session'],
    );
  const readOnly = 'default_transaction_read_only';
  return [
    fault(
      'Postgres is read-only, as after a failover',
      [`alter database gatehouse set ${readOnly} = on`, DISCONNECT],
      [`set ${readOnly} = off`, `alter database gatehouse reset ${readOnly}`, DISCONNECT],
    ),
    fault(
      'Postgres has no connection left',
      ['alter database gatehouse connection limit 0', DISCONNECT],
      ['alter database gatehouse connection limit -1'],
    ),
    failing('disk full', '53100'),
    failing('cancelled', '57014'),
    failing('serialisation', '40001'),
    failing('deadlock', '40P01'),
  ];
}

/** A fault that lasts until its end; without one, that needs no time. */
function lasting<Command>(
  name: string,
  run: (command: Command) => unknown,
  begin: Command,
  end?: Command,
): Fault {
  const ends = end === undefined ? { seconds: 1 } : { end: () => run(end) };
  return { name, undisturbed: 'calls', begin: () => run(begin), ...ends };
}

function redisFaults(stage: Stage): Fault[] {
  const redis = (command: string) => runOnRedis(stage.world, command);
  return [
    lasting('Redis is flushed', redis, 'FLUSHALL'),
    lasting('Redis is out of memory', redis, 'CONFIG SET maxmemory 1', 'CONFIG SET maxmemory 0'),
    lasting('Redis is a read-only replica of nobody', redis, 'REPLICAOF 127.0.0.1 1', 'REPLICAOF NO ONE'),
  ];
}

function rabbitFaults(stage: Stage): Fault[] {
  const rabbit = (words: string[]) => stage.world.stack.runCompanion('rabbitmq', 'rabbitmqctl', words);
  const alarm = (watermark: string) => ['set_vm_memory_high_watermark', watermark];
  const rights = ['set_permissions', 'gatehouse', '.*', '.*', '.*'];
  return [
    lasting('RabbitMQ: the queue of mails is deleted', rabbit, ['delete_queue', 'mail']),
    lasting('RabbitMQ: the exchange is deleted', rabbit, ['eval', DELETE_EXCHANGE]),
    lasting('RabbitMQ: all rights are revoked', rabbit, ['clear_permissions', 'gatehouse'], rights),
    lasting('RabbitMQ blocks publishers by a memory alarm', rabbit, alarm('0.00001'), alarm('0.8')),
  ];
}

const DELETE_EXCHANGE =
  'rabbit_exchange:delete({resource, <<"/">>, exchange, <<"account.events">>}, false, <<"fault">>).';

function mailFaults(stage: Stage): Fault[] {
  const fault = (name: string, where: MailStage, reply: string): Fault => ({
    name: `the mail server ${name}`,
    undisturbed: 'calls',
    begin: () => (stage.world.sink.behaviour = (at) => (at === where ? reply : undefined)),
    end: () => (stage.world.sink.behaviour = undefined),
  });
  return [
    fault('greets nobody', 'greeting', 'silent'),
    fault('turns everybody away', 'greeting', '421 too busy'),
    fault('defers every recipient', 'to', '451 later'),
    fault('takes mails and breaks off before it says so', 'content', 'break'),
  ];
}

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

function networkFaults(stage: Stage): Fault[] {
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

/** The processes, with what works without them; calls of Core and Portal break with these. */
const PROCESSES: [process: string, name: string, Fault['undisturbed']?][] = [
  ['postgres', 'Postgres', 'pings'],
  ['redis', 'Redis', 'calls'],
  ['rabbitmq', 'RabbitMQ', 'calls'],
  ['core', 'core'],
  ['portal', 'portal'],
  ['admin', 'admin', 'calls'],
  ['mail-worker', 'mail-worker', 'calls'],
];

/** Each process is killed, and each is frozen for a while. */
function processFaults(stage: Stage): Fault[] {
  return PROCESSES.flatMap(([process, name, undisturbed]): Fault[] => {
    const isServer = name !== process;
    const each = {
      undisturbed,
      breaksConnections: undisturbed === undefined,
      ...(!isServer && { seconds: 1 }),
    };
    return [
      {
        ...each,
        name: `${name} is killed and started again`,
        begin: () => stage.world.stack.hold(process),
        end: () => stage.world.stack.release(process),
      },
      {
        ...each,
        name: `${name} is frozen and goes on`,
        begin: () => stage.world.stack.kill(process, 'SIGSTOP'),
        end: () => stage.world.stack.kill(process, 'SIGCONT'),
      },
    ];
  });
}
