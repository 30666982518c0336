import { arraysOf } from '../postgres/arrays-of.ts';
import { query, type Executor } from '../postgres/connect.ts';

/**
 * Saves when sessions were last seen according to their cached copies; never an earlier time, and never for an ended
 * session. Sessions are locked in the order of their ids, as in every change of several sessions, to prevent deadlocks.
 */
export async function save(
  executor: Executor,
  seen: readonly {
    sessionId: string;
    seenAtSeconds: number;
    /** 0 if there was no ping yet. */
    pingedAtSeconds: number;
    contentDefinitionId: string | undefined;
  }[],
): Promise<void> {
  const sql = `with held as materialized (
      select id from user_session
      where id = any(cast(:sessionId as uuid[])) and ended_at is null
      order by id
      for no key update
    )
    update user_session s
    set last_seen_at = greatest(s.last_seen_at, to_timestamp(seen.at)),
      last_pinged_at = greatest(s.last_pinged_at, to_timestamp(nullif(seen.pinged_at, 0))),
      content_definition_id = seen.content
    from unnest(
      cast(:sessionId as uuid[]), cast(:seenAtSeconds as float8[]), cast(:pingedAtSeconds as float8[]),
      cast(:contentDefinitionId as uuid[])) as seen (id, at, pinged_at, content)
    join held using (id)
    where s.id = seen.id and s.ended_at is null`;
  const names = ['sessionId', 'seenAtSeconds', 'pingedAtSeconds', 'contentDefinitionId'] as const;
  await query(executor, sql, arraysOf(seen, ...names));
}
