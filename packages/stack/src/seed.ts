import { createPasswords } from '@gatehouse/auth-core';
import { accounts, connectDb } from '@gatehouse/db';
import { createLog } from '@gatehouse/runtime';
import { v7 as newId } from 'uuid';

/** Someone who can log in. */
export interface Credentials {
  Email: string;
  Password: string;
}

/** Whom a new stack knows: an administrator and a user. In lower case, so that each is its own key. */
const PEOPLE = {
  admin: { email: 'admin@gatehouse.example', displayName: 'Administrator', role: 'Admin' },
  user: { email: 'user@gatehouse.example', displayName: 'First User', role: 'User' },
} as const;

/**
 * Adds the first accounts, verified and with these passwords. Accounts that are there already stay as they
 * are, changed passwords too.
 */
export async function seed(options: {
  databaseUrl: string;
  pepper: string;
  passwords: { admin: string; user: string };
}): Promise<{ admin: Credentials; user: Credentials }> {
  const { databaseUrl, pepper, passwords } = options;
  const db = connectDb({ url: databaseUrl, applicationName: 'gatehouse-stack', poolMax: 1 });
  const log = createLog({ service: 'stack', level: 'error' });
  const hashing = createPasswords({ pepper, cost: 10, threads: 1, minLength: 8, log });
  try {
    for (const person of ['admin', 'user'] as const) {
      const { email, displayName, role } = PEOPLE[person];
      if ((await accounts.findByEmailKey(db, email)) !== undefined) continue;
      await accounts.insert(db, {
        id: newId(),
        email,
        emailKey: email,
        displayName,
        locale: 'en',
        role,
        signup: 'complete',
        passwordHash: await hashing.hash(passwords[person]),
        isEmailVerified: true,
      });
    }
  } finally {
    await hashing.close();
    await db.destroy();
  }
  return {
    admin: { Email: PEOPLE.admin.email, Password: passwords.admin },
    user: { Email: PEOPLE.user.email, Password: passwords.user },
  };
}
