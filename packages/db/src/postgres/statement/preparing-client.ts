import { createHash } from 'node:crypto';
import type pg from 'pg';
import { isPlanMissing } from '../faults.ts';
import { PostgresClient } from '../postgres-client.ts';

/**
 * A dialect, for one pool, that names frequent statements: Postgres plans them a few times on each connection and then
 * reuses the plan, whereas planning takes longer than executing most of ours.
 *
 * A pooler in between may use another connection for each transaction: a name may be missing there, or exist already.
 * After such an error the pool prepares no more. Each name is derived from its statement, so it never means another.
 */
export function preparingClient(): typeof PostgresClient {
  const nameFor = createStatementNames();
  let isKept = true;
  // Knex also creates an instance of the class for each transaction: the state that they share is out here.
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

const OFTEN = 8;
/** The number of names is limited, because each needs memory on every connection. */
const NAMES_MAX = 100;
/** The number of different texts is unlimited (searches by any combination of filters); the memory for them is not. */
const COUNTED_MAX = 1000;
const PATTERN = /\blike\b/i;

/** Texts without parameters get none (maybe several statements), nor those with a pattern, on which plans depend. */
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
