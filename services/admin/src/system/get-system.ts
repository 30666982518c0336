import { findSystemState } from '@gatehouse/accounts';
import { VERSION } from '@gatehouse/runtime';
import { Nullable, Timestamp, Type } from '@gatehouse/schema';
import { route } from '../deps.ts';

const Dependency = Type.Object(
  { Name: Type.String(), IsReachable: Type.Boolean(), Version: Nullable(Type.String()) },
  { title: 'Dependency' },
);
const Queue = Type.Object(
  {
    Name: Type.String(),
    Messages: Type.Integer({ description: 'Waiting to be delivered' }),
    Consumers: Type.Integer(),
  },
  { title: 'QueueDepth' },
);
const RedisMemory = Type.Object(
  {
    EvictedKeys: Type.Integer({ description: 'Number since its servers started; should be 0' }),
    Policies: Type.Array(Type.String(), { description: '`maxmemory-policy`; should be `noeviction`' }),
  },
  { title: 'RedisMemory' },
);
const Waiting = Type.Object(
  { Waiting: Type.Integer({ description: 'Up to 100,000' }), OldestSeconds: Type.Number() },
  { title: 'Backlog' },
);

export const getSystem = route({
  method: 'get',
  path: '/admin/system',
  operationId: 'getSystem',
  tag: 'System',
  summary: 'Get the state of this installation as Admin sees it',
  description:
    'Version, migrations, settings, signing keys, dependencies and queue lengths. Secret settings are shown as ' +
    '`set`, and URLs without user names, passwords and queries. The state of the mail server comes from the ' +
    'mail worker’s records.',
  access: ['Admin'],
  response: Type.Object({
    Version: Type.String(),
    NodeVersion: Type.String(),
    Time: Timestamp(),
    Migrations: Type.Object(
      { Applied: Type.Array(Type.String()), Missing: Type.Array(Type.String()) },
      { title: 'Migrations' },
    ),
    Settings: Type.Array(
      Type.Object(
        {
          Name: Type.String(),
          Value: Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()], {
            description: '`set` for a secret; null if it is not set',
          }),
        },
        { title: 'SettingInForce' },
      ),
    ),
    SigningKeys: Type.Array(
      Type.Object(
        {
          Kid: Type.String(),
          CreatedAt: Timestamp(),
          SignsFrom: Timestamp(),
          Signs: Type.Boolean({
            description: 'Whether new tokens are signed with it; it verifies tokens in any case',
          }),
        },
        { title: 'SigningKeyState' },
      ),
    ),
    Dependencies: Type.Array(Dependency),
    Queues: Nullable(Type.Array(Queue), {
      description: 'Declared queues of RabbitMQ; null if it did not respond',
    }),
    RedisMemory: Nullable(RedisMemory, { description: 'null if Redis did not respond' }),
    Outbox: Waiting,
    Mails: Waiting,
    LastMailSentAt: Nullable(Timestamp(), { description: 'When a mail server last accepted an email' }),
    LastMailError: Nullable(Type.String(), {
      description: 'Why the oldest email that is being retried was not sent',
    }),
  }),
  handler: async ({ deps }) => {
    const state = await findSystemState(deps);
    return {
      Version: VERSION,
      NodeVersion: process.version,
      Time: new Date(deps.now()).toISOString(),
      Migrations: { Applied: state.migrations.applied, Missing: state.migrations.missing },
      Settings: deps.effectiveSettings.map(({ name, value }) => ({ Name: name, Value: value })),
      SigningKeys: state.keys.map(({ kid, issuedAt, signsFrom, signs }) => ({
        Kid: kid,
        CreatedAt: momentOf(issuedAt),
        SignsFrom: momentOf(signsFrom),
        Signs: signs,
      })),
      Dependencies: state.dependencies.map(({ name, isReachable, version }) => ({
        Name: name,
        IsReachable: isReachable,
        Version: version ?? null,
      })),
      Queues: state.queues?.map(queueOf) ?? null,
      RedisMemory: state.evictions === undefined ? null : memoryOf(state.evictions),
      Outbox: waitingOf(state.outbox),
      Mails: waitingOf(state.mails),
      LastMailSentAt: state.lastSentAt?.toISOString() ?? null,
      LastMailError: state.lastError,
    };
  },
});

function momentOf(epochSeconds: number): string {
  return new Date(epochSeconds * 1000).toISOString();
}

type State = Awaited<ReturnType<typeof findSystemState>>;

function queueOf({ queue, messages, consumers }: NonNullable<State['queues']>[number]) {
  return { Name: queue, Messages: messages, Consumers: consumers };
}

function memoryOf({ evictedKeys, policies }: NonNullable<State['evictions']>) {
  return { EvictedKeys: evictedKeys, Policies: policies };
}

function waitingOf({ count, ageSeconds }: { count: number; ageSeconds: number }) {
  return { Waiting: count, OldestSeconds: ageSeconds };
}
