import type pg from 'pg';
import { PostgresClient } from './postgres-client.ts';

/**
 * The dialect, for one pool, that names the statements that come often. Postgres plans a statement with a name a few
 * times on each connection and then keeps the plan, where one without is read and planned at every use, which takes
 * longer than doing it for most of ours.
 */
export function preparingClient(): typeof PostgresClient {
  const nameFor = createStatementNames();
  // Knex makes an instance of the class for each transaction, too: what they share is here.
  return class extends PostgresClient {
    override query(connection: pg.Client, statement: string | Named): ReturnType<PostgresClient['query']> {
      if (typeof statement === 'object') {
        const name = nameFor(statement);
        if (name !== undefined) statement.options = { ...statement.options, name };
      }
      return super.query(connection, statement);
    }
  };
}

/** A statement as Knex gives it. */
interface Named {
  sql?: string;
  bindings?: readonly unknown[];
  options?: object;
}

/** From which use on a text has a name. */
const OFTEN = 8;
/** Each costs every connection memory. */
const NAMES_MAX = 100;
/** Texts without end (a search by any of many filters) must not become memory without end. */
const COUNTED_MAX = 1000;
const PATTERN = /\blike\b/i;

/**
 * The names of statements. A text without parameters may be several statements, and only one can have a name. And how
 * a text with a pattern is best done depends on the pattern.
 */
function createStatementNames(): (statement: Named) => string | undefined {
  const names = new Map<string, string>();
  let counts = new Map<string, number>();

  const uses = (sql: string): number => {
    const count = (counts.get(sql) ?? 0) + 1;
    if (counts.size >= COUNTED_MAX) counts = new Map();
    counts.set(sql, count);
    return count;
  };
  const newName = (sql: string): string => {
    counts.delete(sql);
    const name = `gatehouse_${names.size + 1}`;
    names.set(sql, name);
    return name;
  };

  return ({ sql, bindings = [] }) => {
    if (sql === undefined || bindings.length === 0) return undefined;
    const name = names.get(sql);
    if (name !== undefined || names.size >= NAMES_MAX || PATTERN.test(sql)) return name;
    return uses(sql) < OFTEN ? undefined : newName(sql);
  };
}
