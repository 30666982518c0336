import { createPasskeys, createTokens } from '@gatehouse/auth-core';
import { connectDb, query, type Db, type ApiName } from '@gatehouse/db';
import { databaseUrlAs, testDatabase } from '@gatehouse/db/testing';
import { createUnseal } from '@gatehouse/events';
import type { AnyEvent, EventType, MailContent, Topology } from '@gatehouse/events';
import { testBroker } from '@gatehouse/events/testing';
import { createMetrics, type Lifecycle, type Log } from '@gatehouse/runtime';
import { testLog } from '@gatehouse/runtime/testing';
import { openAccounts } from '../open/open-accounts.ts';
import { createSignInRecorder } from '../sign-in/sign-in-recorder.ts';
import { createRotations } from '../session/refresh/rotations.ts';
import { openKeys, withKeys } from '../open/service-keys.ts';
import {
  defaultSettings,
  keysOfService,
  passwordHashOf,
  sharedPasswords,
  type TestSettings,
} from './settings.ts';

/** What a service needs for accounts and sessions, on the servers of the test run, with its own database. */
export interface TestAccounts extends Awaited<ReturnType<typeof openAccounts>> {
  /** What the service itself works with: the same, but with only that service's rights in the database. */
  service: Awaited<ReturnType<typeof openAccounts>>;
  settings: TestSettings;
  topology: Topology | undefined;
  lifecycle: Lifecycle;
  /** The current time; a test that moves the clock replaces the function. */
  clock: { now: () => number };
  lines: Record<string, unknown>[];
  /** The mails to an address so far, oldest first, as the mail worker would receive them. */
  mailsTo(email: string): Promise<{ type: EventType; traceId: string | undefined; content: MailContent }[]>;
  /** Fails if Postgres denied something so far: background work only logs it, but a missing right must fail the test. */
  refuseDenials(): void;
  stop(): Promise<void>;
}

const TEST_ADMIN_URL = 'https://admin.gatehouse.test';

export const TEST_PASSKEY_SITE = {
  rpId: 'gatehouse.test',
  rpName: 'Gatehouse',
  origins: ['https://gatehouse.test', TEST_ADMIN_URL],
};

/**
 * `secondInstance`: opens another process of that installation, in effect: it shares the database, keys and broker.
 * `role`: the service whose role in Postgres is used; without it, everything is allowed there.
 */
export async function openTestAccounts(
  changes: Partial<TestSettings> = {},
  secondInstance?: TestAccounts,
  role?: ApiName,
): Promise<TestAccounts> {
  const own =
    secondInstance === undefined ? { database: await testDatabase(), broker: await testBroker() } : undefined;
  const settings: TestSettings = {
    ...(secondInstance?.settings ?? defaultSettings(own?.database.url ?? '')),
    ...changes,
  };
  const log = testLog();
  const { lifecycle, stop } = testLifecycle(log);
  const topology = own?.broker.topology ?? secondInstance?.topology;
  const clock = secondInstance?.clock ?? { now: Date.now };
  const passwords = sharedPasswords(settings);
  // Its thread starts now, and not in the time of a request.
  if (passwords !== undefined) await passwordHashOf(passwords);
  const opened = await openAccounts({
    service: 'test',
    settings: role
      ? keysOfService(role, { ...settings, DATABASE_URL: databaseUrlAs(settings.DATABASE_URL, role) })
      : settings,
    lifecycle,
    log,
    metrics: createMetrics('test'),
    topology,
    now: () => clock.now(),
    confirmsAdministrators: role === 'admin',
    passwords,
    passkeys: role === 'portal' ? undefined : createPasskeys(TEST_PASSKEY_SITE),
    browserUrls: {
      pages: role === 'admin' ? undefined : settings.ISSUER,
      console: role === 'portal' ? undefined : TEST_ADMIN_URL,
    },
  });
  const db = role ? openAsSuperuser(settings.DATABASE_URL, lifecycle) : opened.db;
  const keyed = withKeys(settings);
  return {
    ...opened,
    ...keyed,
    tokens: openIssuer(settings, log),
    service: opened,
    db,
    // Fixtures open sessions also for Portal, which may not record any.
    signIns: createSignInRecorder({ log, now: () => clock.now() }),
    ...createRotations({ db, ...keyed, settings }),
    settings,
    topology,
    lifecycle,
    clock,
    lines: log.lines,
    mailsTo: createMailbox(db, settings.MAIL_KEY),
    refuseDenials: () => refuseDenials(log.lines),
    stop: async (): Promise<void> => {
      await stop();
      await own?.database.drop();
      await own?.broker.drop();
      refuseDenials(log.lines);
    },
  };
}

function refuseDenials(lines: readonly object[]): void {
  const denied = lines.map((line) => JSON.stringify(line)).find((line) => line.includes('permission denied'));
  if (denied !== undefined) throw new Error(`Postgres denied something: ${denied}`);
}

/** Production’s cache is allocated at once, which takes 8 ms. */
const TOKENS_MAX = 1000;

/** Signs tokens instead of Core, for a service that cannot sign. */
function openIssuer(settings: TestSettings, log: Log) {
  return createTokens({
    keys: openKeys(settings, log),
    issuer: settings.ISSUER,
    audience: settings.AUDIENCE,
    lifetimeSeconds: settings.ACCESS_TOKEN_SECONDS,
    leewaySeconds: settings.TOKEN_LEEWAY_SECONDS,
    memoryMax: TOKENS_MAX,
  });
}

/** A connection for preparing and checking data, however long that takes on a busy machine. */
function openAsSuperuser(url: string, lifecycle: Lifecycle): Db {
  const db = connectDb({ url, applicationName: 'test', poolMax: 10, hasLongTimeouts: true });
  lifecycle.onStop(() => db.destroy());
  return db;
}

function testLifecycle(log: Log): { lifecycle: Lifecycle; stop: () => Promise<void> } {
  const stops: (() => unknown)[] = [];
  let stopping = false;
  const lifecycle: Lifecycle = {
    onStop: (stop) => void stops.push(stop),
    every: (seconds, _name, work) => {
      const timer = setInterval(() => {
        work().catch((error: unknown) => log.warn('background work failed', { error }));
      }, seconds * 1000);
      stops.push(() => clearInterval(timer));
    },
    get stopping() {
      return stopping;
    },
  };
  const stop = async (): Promise<void> => {
    stopping = true;
    for (const undo of stops.toReversed()) await undo();
  };
  return { lifecycle, stop };
}

/** Reads the mails in the outbox. Each is unsealed once, as tests poll until theirs is there. */
function createMailbox(db: Db, mailKey: string): TestAccounts['mailsTo'] {
  const unseal = createUnseal(mailKey);
  const opened = new Map<string, MailContent>();
  const open = (id: string, sealed: string): MailContent => {
    const name = `${id} ${sealed}`;
    // Sealed by `newMailEvent`, whose types ensure that the content matches its kind.
    const content = opened.get(name) ?? (unseal.open(id, sealed) as MailContent);
    opened.set(name, content);
    return content;
  };
  return async (email) => {
    const rows = await query<{ event: AnyEvent }>(db, 'select event from outbox order by id');
    return rows.flatMap(({ event }) => {
      if (!('Mail' in event.data)) return [];
      const content = open(event.id, event.data.Mail);
      return content.Email === email ? [{ type: event.type, traceId: event.traceid, content }] : [];
    });
  };
}

export function codeIn(mails: { content: MailContent }[]): string {
  const content = mails.at(-1)?.content;
  if (content === undefined || !('Code' in content)) throw new Error('the latest mail holds no code');
  return content.Code;
}
