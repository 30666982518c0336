import { createPasswords } from '@gatehouse/auth-core';
import { createSecretBox } from '@gatehouse/crypto';
import { connectDb, inTransaction, query, throttleKeyText, type Executor } from '@gatehouse/db';
import { createSeal } from '@gatehouse/events';
import { createLog, NO_DEADLINE } from '@gatehouse/runtime';
import { SEEDED_EMAILS } from '../stack/seed.ts';
import { StackError } from '../output/stack-error.ts';
import { inventActivity } from './activity.ts';
import { inventAudit } from './audit-entries.ts';
import { inventContents } from './contents.ts';
import { MINUTE, type DemoWorld } from './demo-world.ts';
import { inventFaces } from './faces.ts';
import { insertRows, type Row } from './insert-rows.ts';
import { inventMails } from './mails.ts';
import { DEMO_DOMAIN, inventPeople, rowsOfPeople, type DemoPerson } from './people.ts';
import { createRandom } from './random.ts';
import { inventSessions } from './sessions.ts';
import { inventTokens } from './tokens.ts';

export interface DemoOptions {
  databaseUrl: string;
  pepper: string;
  twoFactorKey: string;
  mailPublicKey: string;
  /** The password of all accounts. */
  password: string;
  issuer: string;
  facesUrl: string;
  now?: Date;
}

/**
 * Fills a new database with an invented installation, in one transaction. The data is the same in every run, except
 * for its dates. Returns `false` if the database is already filled.
 *
 * @throws {StackError} if there are accounts that were created neither by the seed nor by this function.
 */
export async function seedDemo(options: DemoOptions): Promise<boolean> {
  const db = connectDb({
    url: options.databaseUrl,
    applicationName: 'gatehouse-stack',
    poolMax: 1,
    hasLongTimeouts: true,
  });
  const { pepper } = options;
  const log = createLog({ service: 'stack', level: 'error' });
  const passwords = createPasswords({ pepper, cost: 10, threads: 1, minLength: 8, log });
  const totpSecrets = createSecretBox(options.twoFactorKey, 'authenticator secret');
  try {
    if (await isFilled(db)) return false;
    const random = createRandom(1);
    const tables = inventTables({
      now: options.now ?? new Date(),
      random,
      passwordHash: await passwords.hash(options.password),
      seal: createSeal(options.mailPublicKey),
      sealTotpSecret: (accountId) => totpSecrets.seal(accountId, random.bytes(20)),
      issuer: options.issuer,
      facesUrl: options.facesUrl,
    });
    await inTransaction(db, NO_DEADLINE, async (tx) => {
      for (const [table, rows] of Object.entries(tables)) await insertRows(tx, table, rows);
    });
    return true;
  } finally {
    await passwords.close();
    await db.destroy();
  }
}

async function isFilled(db: Executor): Promise<boolean> {
  const rows = await query<{ isDemo: boolean }>(
    db,
    `select email_key like :demo as "isDemo" from account where email_key <> all(cast(:seeded as text[]))
     order by 1 desc limit 1`,
    { demo: `%${DEMO_DOMAIN}`, seeded: SEEDED_EMAILS },
  );
  if (rows.some(({ isDemo }) => !isDemo)) {
    throw new StackError(
      'There are accounts already, and --demo fills nothing but a new database',
      'Start over, which removes them: npm start -- --fresh --demo',
    );
  }
  return rows.length > 0;
}

/** The rows by table. Each table comes after the tables that it refers to. */
function inventTables(world: DemoWorld): Record<string, Row[]> {
  const people = inventPeople(world);
  const adminId = people[0]?.id ?? '';
  const { contents, invitations, rows } = inventContents(world, people);
  const [first, ...others] = contents.filter(({ kind }) => kind === 'LiveChannel').map(({ id }) => id);
  const sessions = inventSessions(world, people, { adminId, channelIds: [first ?? '', ...others] });
  return {
    ...rowsOfPeople(world, people),
    ...rows,
    ...sessions,
    mail_delivery: inventMails(world, people, invitations),
    api_token: inventTokens(world, adminId),
    login_throttle: inventWaiting(world, people),
    audit: inventAudit(world, { people, contents, sessions: sessions.user_session }),
    activity: inventActivity(world),
    ...inventFaces(world, adminId),
  };
}

/** People who must wait because they typed too many wrong passwords. */
function inventWaiting({ now, random }: DemoWorld, people: readonly DemoPerson[]): Row[] {
  return people
    .filter(({ role }) => role === 'User')
    .slice(30, 34)
    .map(({ email }) => ({
      email_key: throttleKeyText({ kind: 'email', emailKey: email }),
      failures: random.whole(11, 16),
      blocked_until: new Date(now.getTime() + random.whole(20, 55) * MINUTE),
      admitted: false,
      updated_at: now,
      checks: [],
    }));
}
