import type { Knex } from 'knex';

/** What is to be done once transactions are committed, by what Knex runs each with. */
const waiting = new WeakMap<object, (() => void)[]>();

/** Does `work`, which must not throw, once the transaction is committed, and never if it is not. */
export function afterCommit(tx: Knex.Transaction, work: () => void): void {
  const client = tx.client as object; // Knex types it as any
  const works = waiting.get(client) ?? [];
  waiting.set(client, [...works, work]);
}

/** Does what was to be done after the commit of the transaction. */
export function runAfterCommit(tx: Knex.Transaction): void {
  const client = tx.client as object; // Knex types it as any
  for (const work of waiting.get(client) ?? []) work();
  waiting.delete(client);
}
