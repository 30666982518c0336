import { countRows } from '@gatehouse/accounts';
import { audit, auditNames, auditSearch, type AuditRecord, type Db } from '@gatehouse/db';
import { CountedPage, countQuery, pagingById, pagingQuery } from '@gatehouse/http';
import { Enum, NameOf, Nullable, Timestamp, Type, Uuid } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { address, by, defineFilters, moment } from '@gatehouse/kit';

const paging = pagingById('AuditId');

const filters = defineFilters({
  actorId: by(Uuid()),
  targetId: by(Uuid()),
  actorKind: by(NameOf(['Account', 'ApiToken', 'System'])),
  action: by(NameOf(audit.AUDIT_ACTIONS)),
  traceId: by(Type.String({ minLength: 1, maxLength: 128 })),
  ipAddress: address(),
  from: moment(),
  to: moment(),
});

/** A recorded change. */
const AuditAnswer = Type.Object(
  {
    Id: Uuid(),
    // Includes actions that a newer version recorded.
    Action: Type.String(),
    ActorId: Nullable(Uuid(), {
      description: 'The account or API token that made the change; null for the system',
    }),
    ActorName: Type.Optional(
      Nullable(Type.String(), {
        description: 'With `names=true`: the current name, or null if there is none',
      }),
    ),
    ActorKind: Enum(['Account', 'ApiToken', 'System']),
    TargetId: Nullable(Uuid()),
    TargetName: Type.Optional(
      Nullable(Type.String(), {
        description: 'With `names=true`: the current name, or null if there is none',
      }),
    ),
    TargetKind: Type.String({ description: 'For example `Account` or `ContentDefinition`' }),
    At: Timestamp(),
    IpAddress: Nullable(Type.String()),
    TraceId: Nullable(Type.String()),
    Details: Type.Object({}, { additionalProperties: true }),
  },
  { title: 'AuditEntry' },
);

export const listAuditEntries = route({
  method: 'get',
  path: '/admin/audit',
  operationId: 'listAuditEntries',
  tag: 'Audit',
  summary: 'List audit entries, newest first',
  description:
    'Each entry is written in the same transaction as its change and is never modified or deleted. ' +
    '`names=true` adds the current names of accounts, tokens, content, invitations and emails; the audit ' +
    'itself stores only IDs. A page can be short or empty and still have a `NextCursor`.',
  access: ['Admin'],
  query: Type.Object({
    ...pagingQuery(),
    ...countQuery(),
    ...filters.query,
    names: Type.Optional(Type.Boolean()),
  }),
  response: CountedPage(AuditAnswer),
  handler: ({ query, deps, request }) => {
    const filter = filters.ofQuery(query);
    return paging.answer(query, {
      find: (page) => auditSearch.findNewest(deps.db, filter, page),
      count: () => countRows(deps, auditSearch.rowsOf(filter), request),
      items: async (entries) => {
        const nameOf = query.names === true ? await findNames(deps.db, entries) : undefined;
        return entries.map((record) => ({
          ...auditAnswer(record),
          ...(nameOf && namesOf(record, nameOf)),
        }));
      },
    });
  },
});

type NameOf = (kind: string, id: string | null) => string | null;

async function findNames(db: Db, records: readonly AuditRecord[]): Promise<NameOf> {
  const named = records.flatMap(({ actorKind, actorId, targetKind, targetId }) => [
    ...(actorId === null ? [] : [{ kind: actorKind, id: actorId }]),
    ...(targetId === null ? [] : [{ kind: targetKind, id: targetId }]),
  ]);
  const names = await auditNames.findMany(db, named);
  return (kind, id) => (id === null ? null : (names.get(auditNames.nameKey(kind, id)) ?? null));
}

function namesOf({ actorKind, actorId, targetKind, targetId }: AuditRecord, nameOf: NameOf) {
  return { ActorName: nameOf(actorKind, actorId), TargetName: nameOf(targetKind, targetId) };
}

function auditAnswer(record: AuditRecord) {
  return {
    Id: record.id,
    Action: record.action,
    ActorId: record.actorId,
    ActorKind: record.actorKind,
    TargetId: record.targetId,
    TargetKind: record.targetKind,
    At: record.at.toISOString(),
    IpAddress: record.ipAddress,
    TraceId: record.traceId,
    Details: record.details,
  };
}
