import type { Knex } from 'knex';

/** Work to do after the commit of each transaction, by the client that Knex uses for it. */
const waiting = new WeakMap<object, (() => void)[]>();

/** Runs `work`, which must not throw, after the transaction is committed; never if it is not committed. */
export function afterCommit(tx: Knex.Transaction, work: () => void): void {
  const client = tx.client as object; // Knex types it as any
  const works = waiting.get(client) ?? [];
  waiting.set(client, [...works, work]);
}

/** Runs the work that waits for the commit of the transaction. */
export function runAfterCommit(tx: Knex.Transaction): void {
  const client = tx.client as object; // Knex types it as any
  for (const work of waiting.get(client) ?? []) work();
  waiting.delete(client);
}
