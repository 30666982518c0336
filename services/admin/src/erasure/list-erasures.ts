import { ERASURE_STATES, erasures, type Erasure } from '@gatehouse/db';
import { Page, pagingById, pagingQuery } from '@gatehouse/http';
import { Enum, NameOf, Nullable, Timestamp, Type, Uuid } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { by, defineFilters, named } from '@gatehouse/kit';

const paging = pagingById('ErasureId');

const filters = defineFilters({
  userId: named('accountId', by(Uuid())),
  state: by(NameOf([...ERASURE_STATES])),
});

const ErasureAnswer = Type.Object(
  {
    Id: Uuid(),
    UserId: Uuid(),
    State: Enum([...ERASURE_STATES]),
    AskedAt: Timestamp(),
    AskedByKind: Enum(['Account', 'ApiToken', 'System']),
    AskedBy: Nullable(Uuid(), {
      description: 'The account or API token that requested it; equal to `UserId` if it was the owner',
    }),
    ErasesAt: Timestamp(),
    RestoredAt: Nullable(Timestamp()),
    ErasedAt: Nullable(Timestamp()),
    Counts: Nullable(
      Type.Object(
        {},
        {
          title: 'ErasedRows',
          additionalProperties: true,
          description: 'The number of removed rows by table',
        },
      ),
    ),
  },
  { title: 'Erasure' },
);

export const listErasures = route({
  method: 'get',
  path: '/admin/erasure',
  operationId: 'listErasures',
  tag: 'Accounts',
  summary: 'List erasures, newest first',
  description:
    'Includes pending, completed and cancelled erasures. They contain no personal data and are never deleted, ' +
    'because a restored backup needs them.',
  access: ['Admin'],
  query: Type.Object({ ...pagingQuery(), ...filters.query }),
  response: Page(ErasureAnswer),
  handler: ({ query, deps }) =>
    paging.answer(query, {
      find: (page) => erasures.findNewest(deps.db, filters.ofQuery(query), page),
      items: (rows) => rows.map(erasureAnswer),
    }),
});

function erasureAnswer(erasure: Erasure) {
  const { restoredAt, erasedAt } = erasure;
  const ended = restoredAt === null ? 'Pending' : 'Restored';
  return {
    Id: erasure.id,
    UserId: erasure.accountId,
    State: erasedAt === null ? ended : 'Erased',
    AskedAt: erasure.askedAt.toISOString(),
    AskedByKind: erasure.askedByKind,
    AskedBy: erasure.askedBy,
    ErasesAt: erasure.erasesAt.toISOString(),
    RestoredAt: restoredAt?.toISOString() ?? null,
    ErasedAt: erasedAt?.toISOString() ?? null,
    Counts: erasure.counts,
  } as const;
}
