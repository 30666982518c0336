import { query, type Executor } from '@gatehouse/db';

/** How to read the name of each kind. Persons and faces are missing: only Core may read their names. */
const NAMES = {
  Account: `select id, coalesce(display_name, email) as name from account`,
  ApiToken: `select id, name from api_token`,
  OauthClient: `select id, name from oauth_client`,
  ContentDefinition: `select id, name from content_definition`,
  Invitation: `select id, invited_email as name from invitation`,
  Mail: `select id, email as name from mail_delivery`,
  Webhook: `select id, name from webhook`,
  UserSession: `
    select s.id, coalesce(a.display_name, a.email) as name
    from user_session s join account a on a.id = s.account_id`,
};

/**
 * The current names of those of these objects that still exist, by kind and id (`nameKey`). A session has its owner's
 * name. The audit itself stores only ids.
 */
export async function findNames(executor: Executor, named: readonly { kind: string; id: string | null }[]) {
  const names = new Map<string, string>();
  for (const [kind, select] of Object.entries(NAMES)) {
    const ids = [...new Set(named.flatMap((one) => (one.kind === kind ? (one.id ?? []) : [])))];
    if (ids.length === 0) continue;
    const sql = `select id, name from (${select}) as named where id = any(cast(? as uuid[])) and name is not null`;
    const rows = await query<{ id: string; name: string }>(executor, sql, [ids]);
    for (const { id, name } of rows) names.set(nameKey(kind, id), name);
  }
  return names;
}

export function nameKey(kind: string, id: string | null): string {
  return `${kind} ${id}`;
}
