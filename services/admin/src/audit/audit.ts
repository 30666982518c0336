import { audit, inIndex, ordered, query, since, until, type Executor } from '@gatehouse/db';
import { address, by, computed, defineFilters, moment, record, time, where } from '@gatehouse/kit';
import type { FilterValues, RowOf } from '@gatehouse/kit';
import { Enum, NameOf, Nullable, Optional, Text, Type, Uuid } from '@gatehouse/schema';
import { list, routes } from '../deps.ts';

const ACTOR_KINDS = ['Account', 'ApiToken', 'System'] as const;

const fields = {
  id: Uuid(),
  // Includes actions that a newer version recorded.
  action: Type.String(),
  actorId: Nullable(Uuid(), {
    description: 'The account or API token that made the change; null for the system',
  }),
  actorKind: Enum([...ACTOR_KINDS]),
  targetId: Nullable(Uuid()),
  targetKind: Type.String({ description: 'For example `Account` or `ContentDefinition`' }),
  at: time(),
  ipAddress: computed(Nullable(Type.String()), 'host(ip_address)'),
  traceId: Nullable(Type.String()),
  details: Type.Object({}, { additionalProperties: true }),
};

const AuditEntry = record('audit', fields, { name: 'AuditEntry' });
type AuditEntry = RowOf<typeof fields>;

const Name = Type.Optional(
  Nullable(Type.String(), { description: 'With `names=true`: the current name, or null if there is none' }),
);
const { Id, Action, ActorId, ActorKind, TargetId, ...others } = AuditEntry.properties;
const NamedEntry = Type.Object(
  { Id, Action, ActorId, ActorName: Name, ActorKind, TargetId, TargetName: Name, ...others },
  { title: 'AuditEntry' },
);

/** The account of an entry about something else, as in the index. A session that its owner ended: the actor. */
const OWNER = `case when action = 'session.ended' then actor_id::text else details ->> 'UserId' end`;
/** Entries about something that belongs to the account. An account's id is never that of another kind of object. */
const IS_ABOUT_ITS = `(target_kind <> 'Account' and ${OWNER} = cast(:targetId as uuid)::text)`;

const filters = {
  actorId: by(Uuid()),
  targetId: by(Uuid()),
  actorKind: by(NameOf([...ACTOR_KINDS])),
  action: by(NameOf(audit.AUDIT_ACTIONS)),
  traceId: by(Text(128)),
  ipAddress: where(address(), ordered('ip_address = cast(:ipAddress as inet)')),
  from: where(moment(), inIndex(since('at'))),
  to: where(moment(), inIndex(until('at'))),
};
export type AuditFilter = FilterValues<typeof filters>;
const conditions = defineFilters(filters).sql;

export const auditRoutes = routes({ tag: 'Audit', access: ['Admin'] }, [
  list(AuditEntry, 'GET /admin/audit', {
    operationId: 'listAuditEntries',
    summary: 'List audit entries, newest first',
    description:
      'Each entry is written in the same transaction as its change and is never modified or deleted. ' +
      '`names=true` adds the current names of accounts, tokens, content, invitations and emails; the audit ' +
      'itself stores only IDs. A page can be short or empty and still have a `NextCursor`.',
    filters,
    query: { names: Optional.Boolean() },
    cursor: 'AuditId',
    rows: { findNewest, rowsOf },
    Item: NamedEntry,
    items: async (entries, { deps, query: asked }) => {
      if (asked.names !== true) return entries.map(AuditEntry.answer);
      const named = entries.flatMap(({ actorKind, actorId, targetKind, targetId }) => [
        { kind: actorKind, id: actorId },
        { kind: targetKind, id: targetId },
      ]);
      const names = await findNames(deps.db, named);
      return entries.map((entry) => ({
        ...AuditEntry.answer(entry),
        ActorName: names.get(nameKey(entry.actorKind, entry.actorId)) ?? null,
        TargetName: names.get(nameKey(entry.targetKind, entry.targetId)) ?? null,
      }));
    },
  }),
]);

/** Newest first. Entries about an account include those about its sessions, invitations and mails. */
export async function findNewest(
  executor: Executor,
  filter: AuditFilter,
  page: { beforeId: string | undefined; max: number },
) {
  const found = [];
  for (const entries of listsOf(filter)) found.push(await entries.findNewest(executor, filter, page));
  return merged(found, page.max);
}

function rowsOf(filter: AuditFilter) {
  const lists = listsOf(filter).map((entries) => entries.rowsOf(filter));
  return { sql: lists.map(({ sql }) => sql).join(' union all '), bindings: lists[0]?.bindings ?? {} };
}

/** The lists to search. If there are two, no entry is in both, and each list has its own index. */
function listsOf({ targetId, traceId }: AuditFilter) {
  const targets = targetId === undefined ? ['true'] : ['target_id = :targetId', IS_ABOUT_ITS];
  // One request has few entries, so the larger columns may be read for them.
  const larger = traceId === undefined ? [] : ['target_kind', 'target_id', 'details'];
  return targets.map((target) =>
    AuditEntry.list<AuditFilter>(
      { ...conditions, targetId: ordered(target) },
      {
        selective: ['traceId', 'targetId', 'actorId', 'ipAddress', 'action', 'actorKind'],
        sieved: ['action', 'actor_kind', 'actor_id', 'ip_address', ...larger],
      },
    ),
  );
}

/** Merges pages of lists without common entries. The result ends where the list that was scanned least ends. */
function merged(pages: readonly { rows: AuditEntry[]; nextBeforeId: string | undefined }[], max: number) {
  const ends = pages.flatMap(({ nextBeforeId }) => nextBeforeId ?? []);
  const end = ends.toSorted().at(-1);
  const rows = pages
    .flatMap((page) => page.rows)
    .filter(({ id }) => end === undefined || id >= end)
    .toSorted((one, other) => (one.id < other.id ? 1 : -1));
  return rows.length > max
    ? { rows: rows.slice(0, max), nextBeforeId: rows[max - 1]?.id }
    : { rows, nextBeforeId: end };
}

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

/** The names of those of these objects that still exist, by `nameKey`. A session has its owner’s name. */
async function findNames(executor: Executor, named: readonly { kind: string; id: string | null }[]) {
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

function nameKey(kind: string, id: string | null): string {
  return `${kind} ${id}`;
}
