import { contentMembers, type ContentMember } from '@gatehouse/db';
import { createPaging, Page, pagingQuery } from '@gatehouse/http';
import { NameOf, Nullable, Timestamp, Type, Uuid } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { managedContent } from './managed-content.ts';

const Relation = NameOf(['Owner', 'Access', 'Pending']);
const paging = createPaging(Type.Object({ MemberId: Uuid(), Relation }));

const Member = Type.Object(
  {
    UserId: Uuid(),
    Email: Type.String(),
    DisplayName: Type.String({ description: 'The name, or the email address if there is none' }),
    IsGuest: Type.Boolean(),
    Relation,
    Since: Timestamp(),
    ExpiresAt: Nullable(Timestamp(), { description: 'When the access ends; null means never' }),
  },
  { title: 'Member' },
);

export const listMembers = route({
  method: 'get',
  path: '/account/content/:id/member',
  operationId: 'listContentMembers',
  tag: 'Guests',
  summary: 'List the members of content that you own',
  description: 'Lists the owner, everybody with access, and pending invitations, for any kind of content.',
  access: ['User', 'Admin', 'Service'],
  params: Type.Object({ id: Uuid() }),
  query: Type.Object({ ...pagingQuery(), relation: Type.Optional(Relation) }),
  response: Page(Member),
  errors: ['not_found', 'forbidden'],
  handler: async ({ params, query, caller, deps, refuse }) => {
    const { content } = await managedContent(refuse, deps, caller, params.id);
    const { limit, relation } = query;
    const key = paging.read(query.cursor);
    const behind = key && { userId: key.MemberId, relation: key.Relation };
    const rows = await contentMembers.findMembers(deps.db, content.id, { relation, behind, max: limit + 1 });
    return paging.page(rows, limit, {
      key: ({ userId, relation: of }) => ({ MemberId: userId, Relation: of }),
      item: memberAnswer,
    });
  },
});

/** Shows the invited address: other addresses, and names before the invitation is accepted, are private. */
function memberAnswer({
  userId,
  displayName,
  isGuest,
  relation,
  since,
  expiresAt,
  ...member
}: ContentMember) {
  const email = member.invitedEmail ?? member.email;
  return {
    UserId: userId,
    Email: email,
    DisplayName: (relation === 'Pending' ? undefined : displayName) ?? email,
    IsGuest: isGuest,
    Relation: relation,
    Since: since.toISOString(),
    ExpiresAt: expiresAt?.toISOString() ?? null,
  };
}
