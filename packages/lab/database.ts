import { someEmail } from '@gatehouse/accounts/testing';
import { accounts, connectDb, inTransaction, query, type Account, type Db } from '@gatehouse/db';
import { connectRedis, type Redis } from '@gatehouse/redis';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { eventually, testLog } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';

export async function withDb<T>(
  url: string,
  use: (db: Db) => Promise<T>,
  options: { applicationName?: string; hasLongTimeouts?: boolean } = {},
): Promise<T> {
  const db = connectDb({ url, applicationName: 'lab', poolMax: 2, ...options });
  try {
    return await use(db);
  } finally {
    await db.destroy();
  }
}

/** Uses a connection of its own to a Redis. */
export async function withRedis<T>(url: string, use: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = connectRedis({ url, log: testLog() });
  try {
    await eventually(() => redis.status === 'ready');
    return await use(redis);
  } finally {
    redis.disconnect();
  }
}

/** Inserts a verified account, as registration would create it. */
export async function addAccount(db: Db, passwordHash: string, role: Account['role'] = 'User') {
  const [id, email] = [newId(), someEmail()];
  // In plain lower case an address is equal to its email key.
  const own = { id, email, emailKey: email, displayName: undefined, locale: 'en', role, passwordHash };
  const row = { ...own, signup: 'complete', isEmailVerified: true } as const;
  await inTransaction(db, NO_DEADLINE, (tx) => accounts.insert(tx, row));
  return { id, email };
}

export async function withoutAccount(databaseUrl: string, emails: readonly string[]): Promise<string[]> {
  const found = await withDb(databaseUrl, (db) =>
    query.column<string>(db, 'select email_key from account where email_key = any(?)', [emails]),
  );
  return emails.filter((email) => !found.includes(email));
}
