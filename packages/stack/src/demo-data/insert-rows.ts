import { query, type Transaction } from '@gatehouse/db';

/** A row by column name, with values as in JSON: times are ISO 8601, bytes are hexadecimal (`bytea`). */
export type Row = Readonly<Record<string, unknown>>;

const CHUNK = 2000;

/** Inserts rows into a table, with one statement per two thousand rows. All rows must have the columns of the first. */
export async function insertRows(tx: Transaction, table: string, rows: readonly Row[]): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const columns = Object.keys(first).join(', ');
  for (let at = 0; at < rows.length; at += CHUNK) {
    await query(
      tx,
      `insert into ${table} (${columns})
       select ${columns} from jsonb_populate_recordset(null::${table}, cast(? as jsonb))`,
      [JSON.stringify(rows.slice(at, at + CHUNK))],
    );
  }
}

/** Bytes in the hexadecimal format of Postgres. */
export function bytea(bytes: Buffer): string {
  return `\\x${bytes.toString('hex')}`;
}
