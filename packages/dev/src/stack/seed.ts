import { createAccount } from '@gatehouse/accounts';
import { createPasswords, type Passwords } from '@gatehouse/auth-core';
import { accounts, query, type Db } from '@gatehouse/db';
import { createLog } from '@gatehouse/runtime';
import { v7 as newId } from 'uuid';
import { withDatabase } from '../servers/database.ts';

export type Seeded = Awaited<ReturnType<typeof seed>>;

/** The accounts of a new stack. The emails are in lower case, so that each is equal to its email key. */
const PEOPLE = {
  admin: { email: 'admin@gatehouse.example', displayName: 'Administrator', role: 'Admin' },
  user: { email: 'user@gatehouse.example', displayName: 'First User', role: 'User' },
} as const;

export const SEEDED_EMAILS = Object.values(PEOPLE).map(({ email }) => email);

/** Adds the first accounts, verified, and the user's live channel. Existing ones are not changed. */
export function seed(options: {
  databaseUrl: string;
  pepper: string;
  passwords: { admin: string; user: string };
}) {
  return withStore(options, async (db, passwords) => {
    for (const person of ['admin', 'user'] as const) {
      if ((await accounts.findByEmailKey(db, PEOPLE[person].email)) !== undefined) continue;
      const password = options.passwords[person];
      const account = { ...PEOPLE[person], password, locale: undefined, isMigrated: false };
      await createAccount({ db, passwords }, account, SYSTEM);
    }
    return {
      admin: { Email: PEOPLE.admin.email, Password: options.passwords.admin },
      user: { Email: PEOPLE.user.email, Password: options.passwords.user },
      contentDefinitionId: await seedChannel(db),
    };
  });
}

export async function withStore<T>(
  { databaseUrl: url, pepper }: { databaseUrl: string; pepper: string },
  work: (db: Db, passwords: Passwords) => Promise<T>,
): Promise<T> {
  const log = createLog({ service: 'stack', level: 'error' });
  // With the priority of all else: nobody waits for other work, and on a busy machine a password would take too long.
  const passwords = createPasswords({ pepper, cost: 10, threads: 1, minLength: 8, niceness: 0, log });
  try {
    return await withDatabase(url, (db) => work(db, passwords));
  } finally {
    await passwords.close();
  }
}

const SYSTEM = { actor: { kind: 'System' }, origin: undefined } as const;

async function seedChannel(db: Db): Promise<string> {
  const owner = await accounts.findByEmailKey(db, PEOPLE.user.email);
  const ownerId = owner?.id ?? null;
  const [channel] = await query<{ id: string }>(
    db,
    `select id from content_definition where owner_id = ? and kind = 'LiveChannel' order by id limit 1`,
    [ownerId],
  );
  if (channel) return channel.id;
  const id = newId();
  await query(
    db,
    `insert into content_definition (id, name, kind, owner_id) values (?, 'First Channel', 'LiveChannel', ?)`,
    [id, ownerId],
  );
  return id;
}
