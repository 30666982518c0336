import { countRows } from '@gatehouse/accounts';
import { contentDefinitions, contentMembers, type ContentMember } from '@gatehouse/db';
import { countFields, CountedPage, countQuery, createPaging, pagingQuery } from '@gatehouse/http';
import { NameOf, Nullable, Timestamp, Type, Uuid } from '@gatehouse/schema';
import { route } from '../../deps.ts';
import { ContentPath } from './content-answer.ts';

const Relation = NameOf(['Owner', 'Access', 'Pending']);
const paging = createPaging(Type.Object({ MemberId: Uuid(), Relation }));

const Member = Type.Object(
  {
    UserId: Uuid(),
    Email: Type.String(),
    DisplayName: Nullable(Type.String()),
    IsGuest: Type.Boolean(),
    Relation,
    Since: Timestamp(),
    By: Nullable(Uuid(), {
      description: 'The account that granted access or sent the invitation, if any',
    }),
    ExpiresAt: Nullable(Timestamp(), { description: 'When the access ends; null means never' }),
    InvitationId: Nullable(Uuid(), { description: 'Of a pending invitation' }),
    LinkExpiresAt: Nullable(Timestamp(), {
      description: 'Only for a pending invitation; its link may have expired',
    }),
  },
  { title: 'ContentMember' },
);

export const listContentMembers = route({
  method: 'get',
  path: '/admin/content-definition/:id/member',
  operationId: 'listContentDefinitionMembers',
  tag: 'Content',
  summary: 'List the members of content',
  description:
    'Lists the owner, everybody with access, and pending invitations; the newest accounts come first.',
  access: ['Admin'],
  params: ContentPath,
  query: Type.Object({ ...pagingQuery(), ...countQuery(), relation: Type.Optional(Relation) }),
  response: CountedPage(Member),
  errors: ['not_found'],
  handler: async ({ params, query, deps, request, refuse }) => {
    const content = await contentDefinitions.findById(deps.db, params.id);
    if (content === undefined) throw refuse('not_found', 'Content not found');
    const { limit, relation } = query;
    const key = paging.read(query.cursor);
    const behind = key && { userId: key.MemberId, relation: key.Relation };
    const [rows, counted] = await Promise.all([
      contentMembers.findMembers(deps.db, content.id, { relation, behind, max: limit + 1 }),
      query.count === true
        ? countRows(deps, contentMembers.rowsOf(content.id, relation), request)
        : undefined,
    ]);
    const keyOf = ({ userId, relation: of }: ContentMember) => ({ MemberId: userId, Relation: of });
    return { ...paging.page(rows, limit, { key: keyOf, item: memberAnswer }), ...countFields(counted) };
  },
});

function memberAnswer(member: ContentMember) {
  return {
    UserId: member.userId,
    Email: member.email,
    DisplayName: member.displayName,
    IsGuest: member.isGuest,
    Relation: member.relation,
    Since: member.since.toISOString(),
    By: member.by,
    ExpiresAt: member.expiresAt?.toISOString() ?? null,
    InvitationId: member.invitationId,
    LinkExpiresAt: member.linkExpiresAt?.toISOString() ?? null,
  };
}
