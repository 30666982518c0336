import { query, type Db, type Transaction } from '../postgres/connect.ts';
import { statement, txStatement } from '../postgres/statements.ts';

/** What is known of the document at an address (docs/openid.md). */
export interface ClientDocument {
  /** Null: it could not be fetched, for the reason in `fault`. */
  body: string | null;
  fault: string | null;
  /** How long ago that was, and for how long it may be used. */
  ageSeconds: number;
  leftSeconds: number;
}

/** The answer to the latest request for a document; `undefined` if there is none. */
export const find = statement.row<ClientDocument, [url: string]>(`
  select body, fault, extract(epoch from now() - answered_at)::float8 as "ageSeconds",
    extract(epoch from expires_at - now())::float8 as "leftSeconds"
  from client_document
  where url = ? and answered_at >= wanted_at`);

/**
 * Has the hook worker fetch a document, unless it was asked to within the last ten seconds; `false` if it was asked for too
 * many within a minute. Those of clients do not count: nobody can keep known applications out with others.
 */
export const want = txStatement.any<{ url: string; perMinute: number }>(`with wanted as (
    insert into client_document as known (url)
    select cast(:url as text)
    where exists (select from oauth_client where document_url = :url)
      or (
        select count(*) from client_document d
        where d.wanted_at > now() - interval '1 minute'
          and not exists (select from oauth_client c where c.document_url = d.url)) < :perMinute
    on conflict (url) do update set wanted_at = now() where known.wanted_at < now() - interval '10 seconds'
    returning 1
  )
  select 1 from wanted
  union all
  select 1 from client_document where url = :url and wanted_at >= now() - interval '10 seconds'`);

export async function take(db: Db, limit: number): Promise<{ id: string }[]> {
  return await query<{ id: string }>(db, 'select url as id from take_client_documents(?) as url', [limit]);
}

/** Stores a document that was taken, or why it could not be fetched. `seconds`: how long it may be used, within bounds. */
export async function answer(
  db: Db,
  url: string,
  fetched: { body: string; seconds: number } | { fault: string },
): Promise<void> {
  const values = { url, body: null, fault: null, seconds: null, ...fetched };
  const sql =
    'select answer_client_document(:url, cast(:body as text), cast(:fault as text), cast(:seconds as integer))';
  await query(db, sql, values);
}

interface Agent {
  id: string;
  documentUrl: string | null;
  name: string;
  redirectUris: string[];
  scopes: string[];
  resources: string[];
}

/** Makes a client of a document that an account lets in; `full` if the account has let in too many. */
export async function adopt(
  tx: Transaction,
  { id, documentUrl, name, redirectUris, scopes, resources }: Agent,
  accountId: string,
) {
  const sql = `select adopt_agent(
      cast(:id as uuid), :documentUrl, :name, cast(:redirectUris as text[]), cast(:scopes as text[]),
      cast(:resources as text[]), cast(:accountId as uuid)) as became`;
  const client = { id, documentUrl, name, redirectUris, scopes, resources, accountId };
  return (await query.value<'same' | 'changed' | 'created' | 'full'>(tx, sql, client)) ?? 'full';
}

/**
 * Says of clients of documents that they are admitted as they are, and deletes documents that are over, and the clients that
 * nobody is signed in to, or that no instance has admitted for ten minutes. Returns these. `hosts`: null for all.
 */
export const forget = txStatement.rows<
  { id: string; name: string },
  { hosts: readonly string[] | null; scopes: readonly string[]; resources: readonly string[] }
>(`select id, name
  from forget_agents(cast(:hosts as text[]), cast(:scopes as text[]), cast(:resources as text[]))`);
