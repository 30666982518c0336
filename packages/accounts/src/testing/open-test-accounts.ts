import { createPasskeys, createTokens } from '@gatehouse/auth-core';
import { connectDb, query, type Db, type ServiceName } from '@gatehouse/db';
import { databaseUrlAs, testDatabase } from '@gatehouse/db/testing';
import {
  createUnseal,
  type AnyEvent,
  type EventType,
  type MailContent,
  type Topology,
} from '@gatehouse/events';
import { testBroker } from '@gatehouse/events/testing';
import { createMetrics, type Lifecycle, type Log } from '@gatehouse/runtime';
import { testLog } from '@gatehouse/runtime/testing';
import { openAccounts } from '../open/open-accounts.ts';
import { createRotations } from '../session/refresh/rotations.ts';
import { openKeys, withKeys } from '../open/service-keys.ts';
import { keysOfService } from './keys.ts';
import { defaultSettings, type TestSettings } from './settings.ts';

/** Everything a service has for accounts and sessions, on servers of the test run and a database of its own. */
export interface TestAccounts extends Awaited<ReturnType<typeof openAccounts>> {
  /** What the service itself works with: the same, but its database has that service's rights alone. */
  service: Awaited<ReturnType<typeof openAccounts>>;
  settings: TestSettings;
  topology: Topology | undefined;
  /** Ends with `stop`. */
  lifecycle: Lifecycle;
  /** What the time is; a test that moves it puts another function in. */
  clock: { now: () => number };
  /** What was logged. */
  lines: Record<string, unknown>[];
  /** What was mailed to an address so far, oldest first, as the mail worker would find it. */
  mailsTo(email: string): Promise<{ type: EventType; traceId: string | undefined; content: MailContent }[]>;
  stop(): Promise<void>;
}

/** Where browsers reach Admin, for the cookies of the tests. */
const TEST_ADMIN_URL = 'https://admin.gatehouse.test';

/** Whose passkeys the tests make. */
export const TEST_PASSKEY_SITE = {
  rpId: 'gatehouse.test',
  rpName: 'Gatehouse',
  origins: ['https://gatehouse.test', TEST_ADMIN_URL],
};

/**
 * `secondInstance`: another process of the same installation, so to speak: it shares the database, keys and broker.
 * `role`: the service whose role in Postgres it has; without one it may do everything there.
 */
export async function openTestAccounts(
  changes: Partial<TestSettings> = {},
  secondInstance?: TestAccounts,
  role?: Exclude<ServiceName, 'mail-worker'>,
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
    rotate: createRotations({ db, refreshTokens: keyed.refreshTokens, settings }),
    settings,
    topology,
    lifecycle,
    clock,
    lines: log.lines,
    mailsTo: (email: string) => mailsTo(db, settings.MAIL_KEY, email),
    stop: async (): Promise<void> => {
      await stop();
      await own?.database.drop();
      await own?.broker.drop();
      refuseDenials(log.lines);
    },
  };
}

/** Background work reports failures in the log only: a missing right in Postgres must fail the test. */
function refuseDenials(lines: readonly object[]): void {
  const denied = lines.map((line) => JSON.stringify(line)).find((line) => line.includes('permission denied'));
  if (denied !== undefined) throw new Error(`Postgres denied something: ${denied}`);
}

/** What signs in place of Core, for a service that cannot. */
function openIssuer(settings: TestSettings, log: Log) {
  return createTokens({
    keys: openKeys(settings, log),
    issuer: settings.ISSUER,
    audience: settings.AUDIENCE,
    lifetimeSeconds: settings.ACCESS_TOKEN_SECONDS,
    leewaySeconds: settings.TOKEN_LEEWAY_SECONDS,
  });
}

/** For what a test arranges and looks at. */
function openAsSuperuser(url: string, lifecycle: Lifecycle): Db {
  const db = connectDb({ url, applicationName: 'test', poolMax: 10 });
  lifecycle.onStop(() => db.destroy());
  return db;
}

/** A life whose end the test decides. */
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

async function mailsTo(db: Db, mailKey: string, email: string) {
  const unseal = createUnseal(mailKey);
  const rows = await query<{ event: AnyEvent }>(db, 'select event from outbox order by id');
  return rows.flatMap(({ event }) => {
    if (!('Mail' in event.data)) return [];
    // Sealed by `newMailEvent`, whose types hold the content to its kind.
    const content = unseal.open(event.id, event.data.Mail) as MailContent;
    return content.Email === email ? [{ type: event.type, traceId: event.traceid, content }] : [];
  });
}

/** The code of the latest mail. */
export function codeIn(mails: { content: MailContent }[]): string {
  const content = mails.at(-1)?.content;
  if (content === undefined || !('Code' in content)) throw new Error('the latest mail holds no code');
  return content.Code;
}
