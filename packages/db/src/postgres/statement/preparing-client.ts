import { createHash } from 'node:crypto';
import type pg from 'pg';
import { isPlanMissing } from '../faults.ts';
import { PostgresClient } from '../postgres-client.ts';

/**
 * The dialect, for one pool, that names frequent statements. Postgres plans a named statement a few times on each
 * connection and then keeps the plan; an unnamed one is parsed and planned at every use, which for most of ours takes
 * longer than its execution.
 *
 * A pooler between us and Postgres may give each transaction another connection, and not know names: then one of another
 * connection may be missing, or may be there already. The pool prepares no more after that, and each name is made from
 * its statement, so that it never stands for another one.
 */
export function preparingClient(): typeof PostgresClient {
  const nameFor = createStatementNames();
  let isKept = true;
  // Knex creates an instance of the class for each transaction too: what they share is here.
  return class extends PostgresClient {
    override async query(connection: pg.Client, statement: string | Named) {
      const name = typeof statement === 'object' && isKept ? nameFor(statement) : undefined;
      if (typeof statement === 'string' || name === undefined) return super.query(connection, statement);
      statement.options = { ...statement.options, name };
      try {
        return await super.query(connection, statement);
      } catch (error) {
        if (isPlanMissing(error)) isKept = false;
        throw error;
      }
    }
  };
}

interface Named {
  sql?: string;
  bindings?: readonly unknown[];
  options?: object;
}

/** A text gets a name from this use on. */
const OFTEN = 8;
/** Each name costs memory on every connection. */
const NAMES_MAX = 100;
/** Unlimited texts (searches by any combination of filters) must not take unlimited memory. */
const COUNTED_MAX = 1000;
const PATTERN = /\blike\b/i;

/**
 * The names of statements. A text without parameters may consist of several statements, which cannot have a name; and
 * the best plan for a pattern depends on the pattern.
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
    const name = `gatehouse_${createHash('sha256').update(sql).digest('base64url').slice(0, 22)}`;
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
