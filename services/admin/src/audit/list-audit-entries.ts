import { countRows } from '@gatehouse/accounts';
import { audit, type AuditRecord } from '@gatehouse/db';
import { countFields, CountedPage, countQuery, createPaging, pagingQuery } from '@gatehouse/http';
import { Enum, NameOf, Nullable, Timestamp, Type, Uuid } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { readMoment } from '../read-moment.ts';

const paging = createPaging(Type.Object({ AuditId: Uuid() }));

const Action = NameOf(audit.AUDIT_ACTIONS);

/** One change, as it was recorded with it. */
const AuditAnswer = Type.Object(
  {
    Id: Uuid(),
    // Words that a newer version wrote are shown as well.
    Action: Type.String(),
    ActorId: Nullable(Uuid(), {
      description: 'The account or API token that made the change; null for the system',
    }),
    ActorKind: Enum(['Account', 'ApiToken', 'System']),
    TargetId: Nullable(Uuid()),
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
    'Each entry is written in the same transaction as its change and is never modified or deleted. `from` ' +
    '(inclusive) and `to` (exclusive) filter by the time of the change.',
  access: ['Admin'],
  query: Type.Object({
    ...pagingQuery(),
    ...countQuery(),
    actorId: Type.Optional(Uuid()),
    targetId: Type.Optional(Uuid()),
    action: Type.Optional(Action),
    from: Type.Optional(Timestamp()),
    to: Type.Optional(Timestamp()),
  }),
  response: CountedPage(AuditAnswer),
  handler: async ({ query, deps, request }) => {
    const { limit, cursor, count, from, to, ...named } = query;
    const filter = { ...named, from: readMoment(from, '/query/from'), to: readMoment(to, '/query/to') };
    const beforeId = paging.read(cursor)?.AuditId;
    const [rows, counted] = await Promise.all([
      audit.findNewest(deps.db, filter, { beforeId, max: limit + 1 }),
      count === true ? countRows(deps, audit.rowsOf(filter), request) : undefined,
    ]);
    const key = ({ id }: { id: string }) => ({ AuditId: id });
    return { ...paging.page(rows, limit, { key, item: auditAnswer }), ...countFields(counted) };
  },
});

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
