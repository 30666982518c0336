import { statement } from '../postgres/statements.ts';

/**
 * Sessions whose cached copies may have to be written again, oldest first, after the entry `after`, with the entries to
 * remove once that is done.
 */
export const find = statement.rows<{ id: string; sessionId: string }, [after: string, max: number]>(
  `select id, session_id as "sessionId" from live_session_outbox where id > ?::bigint order by id limit ?`,
);

/** Removes entries whose copies were written. */
export const remove = statement.run<[ids: readonly string[]]>(
  'delete from live_session_outbox where id = any(?::bigint[])',
);
