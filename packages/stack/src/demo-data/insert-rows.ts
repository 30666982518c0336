import { query, type Transaction } from '@gatehouse/db';

/** A row by its columns, as JSON has it: times are ISO 8601, bytes hexadecimal (`bytea`). */
export type Row = Readonly<Record<string, unknown>>;

const CHUNK = 2000;

/** Adds rows, which all have the columns of the first, to a table: a statement for every two thousand. */
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

/** Bytes as Postgres reads them. */
export function bytea(bytes: Buffer): string {
  return `\\x${bytes.toString('hex')}`;
}
