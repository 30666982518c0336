import { countRows } from '@gatehouse/accounts';
import { isIP } from 'node:net';
import { audit, auditNames, auditSearch, type AuditRecord, type Db } from '@gatehouse/db';
import {
  countFields,
  CountedPage,
  countQuery,
  createPaging,
  invalidRequest,
  pagingQuery,
} from '@gatehouse/http';
import { Enum, NameOf, Nullable, Timestamp, Type, Uuid } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { readMoment } from '../read-moment.ts';

const paging = createPaging(Type.Object({ AuditId: Uuid() }));

const Action = NameOf(audit.AUDIT_ACTIONS);
const ActorKind = NameOf(['Account', 'ApiToken', 'System']);

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
    actorId: Type.Optional(Uuid()),
    targetId: Type.Optional(Uuid()),
    actorKind: Type.Optional(ActorKind),
    action: Type.Optional(Action),
    traceId: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
    ipAddress: Type.Optional(Type.String({ maxLength: 64, description: 'An IPv4 or IPv6 address' })),
    names: Type.Optional(Type.Boolean()),
    from: Type.Optional(Timestamp()),
    to: Type.Optional(Timestamp()),
  }),
  response: CountedPage(AuditAnswer),
  handler: async ({ query, deps, request }) => {
    const { limit, cursor, count, from, to, names, ...named } = query;
    checkAddress(named.ipAddress);
    const filter = { ...named, from: readMoment(from, '/query/from'), to: readMoment(to, '/query/to') };
    const beforeId = paging.read(cursor)?.AuditId;
    const [{ entries, nextBeforeId }, counted] = await Promise.all([
      auditSearch.findNewest(deps.db, filter, { beforeId, max: limit }),
      count === true ? countRows(deps, auditSearch.rowsOf(filter), request) : undefined,
    ]);
    const nameOf = names === true ? await findNames(deps.db, entries) : undefined;
    const Items = entries.map((record) => ({
      ...auditAnswer(record),
      ...(nameOf && namesOf(record, nameOf)),
    }));
    return {
      Items,
      ...(nextBeforeId !== undefined && { NextCursor: paging.cursor({ AuditId: nextBeforeId }) }),
      ...countFields(counted),
    };
  },
});

function checkAddress(address: string | undefined): void {
  // Postgres does not support zones.
  if (address === undefined || (isIP(address) !== 0 && !address.includes('%'))) return;
  throw invalidRequest(undefined, {
    errors: [{ pointer: '/query/ipAddress', message: 'must be an IP address', code: 'malformed' }],
  });
}

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
