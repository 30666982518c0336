import { countRows } from '@gatehouse/accounts';
import { contentDefinitions, contentMembers } from '@gatehouse/db';
import { countFields, CountedPage, countQuery, createPaging, pagingQuery } from '@gatehouse/http';
import { record, time, timeOrNull } from '@gatehouse/kit';
import { NameOf, Nullable, Type, Uuid } from '@gatehouse/schema';
import { route } from '../../deps.ts';

const Relation = NameOf(['Owner', 'Access', 'Pending']);
const paging = createPaging(Type.Object({ MemberId: Uuid(), Relation }));

/** An account that owns content, has access to it, or was invited to it. */
const Member = record(
  'content_access',
  {
    userId: Uuid(),
    email: Type.String(),
    displayName: Nullable(Type.String()),
    isGuest: Type.Boolean(),
    relation: Relation,
    since: time(),
    by: Nullable(Uuid(), {
      description: 'The account that granted access or sent the invitation, if any',
    }),
    expiresAt: timeOrNull({ description: 'When the access ends; null means never' }),
    invitationId: Nullable(Uuid(), { description: 'Of a pending invitation' }),
    linkExpiresAt: timeOrNull({
      description: 'Only for a pending invitation; its link may have expired',
    }),
  },
  { name: 'ContentMember' },
);

export const listContentMembers = route('GET /admin/content-definition/:id/member', {
  operationId: 'listContentDefinitionMembers',
  tag: 'Content',
  summary: 'List the members of content',
  description:
    'Lists the owner, everybody with access, and pending invitations; the newest accounts come first.',
  query: Type.Object({ ...pagingQuery(), ...countQuery(), relation: Type.Optional(Relation) }),
  response: CountedPage(Member.Answer),
  errors: ['not_found'],
  handler: async ({ params: { id }, query, deps, request, refuse }) => {
    if ((await contentDefinitions.findById(deps.db, id)) === undefined)
      throw refuse('not_found', 'Content not found');
    const { limit, relation } = query;
    const key = paging.read(query.cursor);
    const after = key && { userId: key.MemberId, relation: key.Relation };
    const [rows, counted] = await Promise.all([
      contentMembers.findMembers(deps.db, id, { relation, after, max: limit + 1 }),
      query.count === true ? countRows(deps, contentMembers.rowsOf(id, relation), request) : undefined,
    ]);
    const page = paging.page(rows, limit, {
      key: ({ userId, relation: of }) => ({ MemberId: userId, Relation: of }),
      item: Member.answer,
    });
    return { ...page, ...countFields(counted) };
  },
});
