import { query, type Executor } from '../postgres/connect.ts';

/** The version of Postgres, such as `17.2`. */
export async function findServerVersion(executor: Executor): Promise<string | undefined> {
  const sql = `select split_part(current_setting('server_version'), ' ', 1) as version`;
  const [row] = await query<{ version: string }>(executor, sql);
  return row?.version;
}
