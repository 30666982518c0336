import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inTransaction, query, type Executor, type Transaction } from '@gatehouse/db';
import { createSeal, newMailEvent, type Seal } from '@gatehouse/events';
import { createSecretBox, NO_DEADLINE } from '@gatehouse/runtime';
import { v7 } from 'uuid';
import { SEEDED_EMAILS, withStore } from '../stack/seed.ts';
import { ROOT, StackError } from '../command.ts';

/** The domain of every invented address. It distinguishes invented addresses from real ones. */
const DOMAIN = '@demo.example';
/** The emails of the invented administrators. Nobody may get into their accounts without a password. */
export const DEMO_ADMIN_EMAILS = ['lindqvist', 'okafor', 'sato'].map((name) => `admin.${name}${DOMAIN}`);

export interface DemoOptions {
  databaseUrl: string;
  pepper: string;
  twoFactorKey: string;
  mailPublicKey: string;
  /** The password of all accounts. */
  password: string;
  /** Of the demo provider. */
  issuer: string;
  now?: Date;
}

/** The demo provider serves the drawn faces, because it too exists only for trying things. */
export function demoFacesUrl(issuer: string): string {
  return `${issuer}/faces`;
}

/**
 * Fills a new database with an invented installation, in one transaction. The data is the same in every run, except
 * for its dates. Returns `false` if the database is already filled.
 *
 * @throws {StackError} if there are accounts that were created neither by the seed nor by this function.
 */
export function seedDemo(options: DemoOptions): Promise<boolean> {
  const { now = new Date() } = options;
  return withStore(options, async (db, passwords) => {
    if (await isFilled(db)) return false;
    const settings = {
      now: now.toISOString(),
      password_hash: await passwords.hash(options.password),
      issuer: options.issuer,
      faces_url: demoFacesUrl(options.issuer),
    };
    await inTransaction(db, NO_DEADLINE, async (tx) => {
      for (const [name, value] of Object.entries(settings))
        await query(tx, 'select set_config(:name, :value, true)', { name: `demo.${name}`, value });
      for (const file of ['accounts.sql', 'history.sql', 'faces.sql'])
        await query(tx, readFileSync(join(ROOT, 'examples/demo-data', file), 'utf8'));
      await addTwoFactor(tx, createSecretBox(options.twoFactorKey, 'authenticator secret'));
      await addUnsentMails(tx, createSeal(options.mailPublicKey), now);
    });
    return true;
  });
}

async function isFilled(db: Executor): Promise<boolean> {
  const rows = await query<{ isDemo: boolean }>(
    db,
    `select email_key like :demo as "isDemo" from account where email_key <> all(cast(:seeded as text[]))
     order by 1 desc limit 1`,
    { demo: `%${DOMAIN}`, seeded: SEEDED_EMAILS },
  );
  if (rows.some(({ isDemo }) => !isDemo)) {
    throw new StackError(
      'There are accounts already, and --demo fills nothing but a new database',
      'Start over, which removes them: npm start -- --fresh --demo',
    );
  }
  return rows.length > 0;
}

/** Secrets of authenticators, as the database stores them. Nobody has such an authenticator. */
async function addTwoFactor(tx: Transaction, box: ReturnType<typeof createSecretBox>): Promise<void> {
  const owners = await query<{ id: string }>(tx, 'select id from people where has_two_factor');
  for (const { id } of owners) {
    await query(
      tx,
      `insert into two_factor (account_id, secret_sealed, enabled_at, created_at, password_version)
       select id, :sealed, created_at, created_at, 0 from people where id = :id`,
      { id, sealed: box.seal(id, randomBytes(20)) },
    );
  }
}

const HOUR = 3_600_000;
/** Answers of mail servers for mails that were given up (RFC 3463). */
const ERRORS = [
  '550 5.1.1 The email account that you tried to reach does not exist',
  '552 5.2.2 The recipient’s mailbox is full',
  '550 5.7.1 Message blocked: it looks like spam',
] as const;
const PARKED = 9;

/** Notices that were not sent: nine that were given up, and three that will be tried again. They can really be sent. */
async function addUnsentMails(tx: Transaction, seal: Seal, now: Date): Promise<void> {
  const people = await query<{ id: string; email: string; name: string; locale: string }>(
    tx,
    `select id, email, name, locale from people where last_login_at > pg_temp.ago('30 days') order by number limit 12`,
  );
  for (const [number, { id: UserId, email: Email, name: DisplayName, locale: Locale }] of people.entries()) {
    const isParked = number < PARKED;
    const at = new Date(now.getTime() - (isParked ? 20 + number * 23 : 0.1) * HOUR);
    const content = { Email, DisplayName, Locale, At: at.toISOString(), IpAddress: '192.0.2.17' };
    const origin = { id: v7({ msecs: at.getTime() }), at };
    const event = newMailEvent(seal, 'account.password-changed', { UserId }, content, origin);
    await query(
      tx,
      `insert into mail_delivery
         (id, kind, account_id, email, event, status, tries, last_error, next_try_at, created_at, parked_at)
       values (:id, 'password-changed', :UserId, :Email, cast(:event as jsonb), :status, :tries, :error, :next, :at, :parked)`,
      {
        ...{ id: event.id, UserId, Email, event: JSON.stringify(event), at },
        ...(isParked
          ? { status: 'Parked', tries: 12, next: null, parked: new Date(at.getTime() + 16 * HOUR) }
          : { status: 'Retrying', tries: 2, next: new Date(now.getTime() + HOUR), parked: null }),
        error: isParked ? (ERRORS[number % ERRORS.length] ?? '') : 'connect ETIMEDOUT 192.0.2.25:587',
      },
    );
  }
}
