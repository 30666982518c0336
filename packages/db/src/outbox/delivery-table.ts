import { query, type Binding, type Executor } from '../postgres/connect.ts';
import { statement, txStatement } from '../postgres/statements.ts';
import type { Backlog } from './outbox.ts';

export interface Delivery {
  id: string;
  /** Distinguishes this worker's hold from earlier and later ones of the same row. */
  hold: number;
  /** The number of tries, including this one, since it was recorded or an operator had it retried. */
  tries: number;
  /** The time since then. */
  ageSeconds: number;
}

type More = Readonly<Record<string, Binding>>;

/** What is due and not taken; `:takesOver` also finds what a dead worker has taken, except the rows in `:own`. */
export const IS_DUE = `status in ('Pending', 'Retrying')
  and next_try_at <= now()
  and (claimed_until is null or (:takesOver and claimed_until <= now()))
  and id <> all(cast(:own as uuid[]))`;

export const CLAIMED = `tries as hold, tries - tries_forgiven as tries,
  extract(epoch from now() - coalesce(retried_at, created_at))::float as "ageSeconds"`;

export const SENT = `status = 'Sent', sent_at = now(), parked_at = null, next_try_at = null, claimed_until = null,
  last_error = null`;

type Table = 'mail_delivery' | 'hook_delivery';

export function deliveryTable(table: Table) {
  return { ...resultsOf(table), ...upkeepOf(table) };
}

function resultsOf(table: Table) {
  return {
    extendClaims: async (db: Executor, held: readonly Delivery[], holdSeconds: number): Promise<void> => {
      const sql = `update ${table} as delivery
        set claimed_until = now() + make_interval(secs => ?)
        from unnest(?::uuid[], ?::integer[]) as held (id, hold)
        where delivery.id = held.id
          and delivery.tries = held.hold
          and delivery.claimed_until is not null`;
      await query(db, sql, [holdSeconds, held.map(({ id }) => id), held.map(({ hold }) => hold)]);
    },

    markRetry: async (
      db: Executor,
      { id, hold }: Delivery,
      failure: { afterSeconds: number; error: string },
      more: More = {},
    ): Promise<void> => {
      const sql = `update ${table}
        set ${setting(more)}
          status = 'Retrying',
          next_try_at = now() + make_interval(secs => :afterSeconds),
          claimed_until = null,
          last_error = :error
        where id = :id
          and tries = :hold
          and status in ('Pending', 'Retrying')`;
      await query(db, sql, { ...more, ...failure, id, hold });
    },

    park: async (db: Executor, { id, hold }: Delivery, error: string, more: More = {}): Promise<void> => {
      const sql = `update ${table}
        set ${setting(more)}
          status = 'Parked',
          parked_at = now(),
          next_try_at = null,
          claimed_until = null,
          last_error = :error
        where id = :id
          and tries = :hold
          and status in ('Pending', 'Retrying')`;
      await query(db, sql, { ...more, error, id, hold });
    },
  };
}

function upkeepOf(table: Table) {
  return {
    /** The number of recorded rows that are neither sent nor parked, up to `countMax`, and the age of the oldest. */
    backlog: statement.only<Backlog, [countMax: number]>(`
      with oldest as (
        (select created_at from ${table} where status = 'Pending' order by id limit 1)
        union all
        (select created_at from ${table} where status = 'Retrying' order by id limit 1)
      ),
      counted as (
        select 1
        from ${table}
        where status in ('Pending', 'Retrying')
        limit ?
      )
      select (select count(*)::int from counted) as count,
        coalesce(extract(epoch from now() - min(created_at)), 0)::float as "ageSeconds"
      from oldest`),

    /** Makes parked rows that the transaction has locked due at once, with all their tries again. */
    retry: txStatement.run<[ids: readonly string[]]>(`
      update ${table}
      set status = 'Retrying', tries_forgiven = tries, retried_at = now(), next_try_at = now(),
        claimed_until = null, parked_at = null
      where id = any(cast(? as uuid[]))
        and status = 'Parked'`),

    /** Deletes rows last changed more than `keepDays` ago; returns how many. The id's time lets it use the index. */
    deleteOld: statement.count<{ status: 'Sent' | 'Parked'; keepDays: number; max: number }>(`
      delete from ${table}
      where id = any(array(
        select id
        from ${table}
        where status = :status
          and id < ${FIRST_ID_SINCE}
          and coalesce(sent_at, retried_at, created_at) < now() - make_interval(days => :keepDays)
        order by id
        limit :max
        for update skip locked
      ))
      returning id`),
  };
}

function setting(more: More): string {
  return Object.keys(more)
    .map((column) => `${column} = :${column},`)
    .join(' ');
}

/** Identifiers of version 7 begin with 48 bits of milliseconds since the epoch (RFC 9562 §5.7). */
const FIRST_ID_SINCE = `
  cast(rpad(lpad(to_hex(
    cast(extract(epoch from now() - make_interval(days => :keepDays)) * 1000 as bigint)), 12, '0'), 32, '0') as uuid)`;
