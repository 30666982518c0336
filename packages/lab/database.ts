import { connectDb, query, type Db } from '@gatehouse/db';

/** Uses connections of its own to a database. */
export async function withDb<T>(
  url: string,
  use: (db: Db) => Promise<T>,
  applicationName = 'lab',
): Promise<T> {
  const db = connectDb({ url, applicationName, poolMax: 2 });
  try {
    return await use(db);
  } finally {
    await db.destroy();
  }
}

/** Those of these emails that have no account. */
export async function withoutAccount(databaseUrl: string, emails: readonly string[]): Promise<string[]> {
  const sql = 'select email_key as key from account where email_key = any(?)';
  const rows = await withDb(databaseUrl, (db) => query<{ key: string }>(db, sql, [emails]));
  const found = new Set(rows.map(({ key }) => key));
  return emails.filter((email) => !found.has(email));
}
