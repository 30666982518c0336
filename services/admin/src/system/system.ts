import type { Keys } from '@gatehouse/auth-core';
import { findMigrations, findServerVersion, mailDeliveries, outbox, type Backlog } from '@gatehouse/db';
import { atMost, VERSION } from '@gatehouse/runtime';
import { Nullable, Timestamp, Type } from '@gatehouse/schema';
import { route } from '../deps.ts';

const COUNT_MAX = 100_000;
/** How long a server may take to respond; one that does not is reported as not reachable. Postgres must be available. */
const PROBE_MS = 1000;

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

export const getSystem = route('GET /admin/system', {
  operationId: 'getSystem',
  tag: 'System',
  summary: 'Get the state of this installation as Admin sees it',
  description:
    'Version, migrations, settings, signing keys, dependencies and queue lengths. Secret settings are shown as ' +
    '`set`, and URLs without user names, passwords and queries. The state of the mail server comes from the ' +
    'mail worker’s records.',
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
    const { db, keys, probes, readings, now } = deps;
    const others = Promise.all(
      Object.entries(probes).map(async ([Name, probe]) => {
        const IsReachable = (await inTime(async () => (await probe(), true))) ?? false;
        return { Name, IsReachable, Version: null };
      }),
    );
    const readingQueues = inTime(readings.queueDepths);
    const readingEvictions = inTime(readings.evictions);
    const version = await findServerVersion(db);
    const { applied, missing } = await findMigrations(db);
    const waiting = await outbox.backlog(db, COUNT_MAX);
    const mails = await mailDeliveries.backlog(db, COUNT_MAX);
    const { lastSentAt, lastError } = await mailDeliveries.findLatest(db);
    const queues = await readingQueues;
    const evictions = await readingEvictions;
    return {
      Version: VERSION,
      NodeVersion: process.version,
      Time: new Date(now()).toISOString(),
      Migrations: { Applied: applied, Missing: missing },
      Settings: deps.effectiveSettings.map(({ name, value }) => ({ Name: name, Value: value })),
      SigningKeys: statesOf(keys, now()),
      Dependencies: [{ Name: 'postgres', IsReachable: true, Version: version ?? null }, ...(await others)],
      Queues:
        queues?.map(({ queue: Name, messages: Messages, consumers: Consumers }) => ({
          Name,
          Messages,
          Consumers,
        })) ?? null,
      RedisMemory: evictions ? { EvictedKeys: evictions.evictedKeys, Policies: evictions.policies } : null,
      Outbox: waitingOf(waiting),
      Mails: waitingOf(mails),
      LastMailSentAt: lastSentAt?.toISOString() ?? null,
      LastMailError: lastError,
    };
  },
});

/** The keys; the newest key that may already sign is the signing key. */
function statesOf(keys: Keys, nowMs: number) {
  const all = [...keys.current().values()];
  const signing = all.findLast(({ signsFrom }) => signsFrom * 1000 <= nowMs) ?? all[0];
  return all.map((key) => ({
    Kid: key.kid,
    CreatedAt: momentOf(key.issuedAt),
    SignsFrom: momentOf(key.signsFrom),
    Signs: key === signing,
  }));
}

function momentOf(epochSeconds: number): string {
  return new Date(epochSeconds * 1000).toISOString();
}

function waitingOf({ count, ageSeconds }: Backlog) {
  return { Waiting: count, OldestSeconds: ageSeconds };
}

async function inTime<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await atMost(PROBE_MS, ask());
  } catch {
    return undefined;
  }
}
