import { actorOf, distinctEmails, REMOVE_RESULTS, removeAccess, type RemovedFrom } from '@gatehouse/accounts';
import { invalidRequest } from '@gatehouse/http';
import { Email, Enum, Type, Uuid } from '@gatehouse/schema';
import { route } from '../../deps.ts';
import { ContentPath } from './content-answer.ts';
import { sharedContent } from './shared-content.ts';

export const removeFromContent = route({
  method: 'post',
  path: '/admin/content-definition/:id/remove',
  operationId: 'removeUsersFromContentDefinition',
  tag: 'Content',
  summary: 'Revoke access to content',
  description:
    'The same as Portal’s `/account/remove-user`, in the name of the administrator. Send either `UserId` ' +
    'or `Emails`. Ends the sessions of guests; a guest without any remaining content is expired or ' +
    'removed (`GUEST_WITHOUT_CONTENT`).',
  access: ['Admin'],
  recent: { never: 'those concerned can be invited again' },
  params: ContentPath,
  body: Type.Object(
    {
      UserId: Type.Optional(Uuid()),
      Emails: Type.Optional(Type.Array(Email(), { minItems: 1, maxItems: 100 })),
    },
    { oneOfFields: { ByUserId: ['UserId'], ByEmails: ['Emails'] } },
  ),
  response: Type.Object({
    Items: Type.Array(
      Type.Object(
        {
          UserId: Type.Optional(Uuid()),
          Email: Type.Optional(Type.String()),
          Result: Enum(REMOVE_RESULTS),
        },
        { title: 'RemovedUser' },
      ),
    ),
  }),
  errors: ['not_found'],
  handler: async ({ params, body, caller, deps, request, refuse }) => {
    const from = whom(body);
    const sharing = await sharedContent(deps, params.id, caller);
    if (sharing === undefined) throw refuse('not_found', 'Content not found');
    const removals = await removeAccess(deps, { ...sharing, from, actor: actorOf(caller) }, request);
    return {
      Items: removals.map(({ name, result, from: whose }) => ({
        ...(whose && { UserId: whose.account.id, Email: whose.invitedEmail }),
        ...(from.by === 'id' ? { UserId: name } : { Email: from.emails.get(name) ?? name }),
        Result: result,
      })),
    };
  },
});

function whom({ UserId: id, Emails: emails }: { UserId?: string; Emails?: string[] }): RemovedFrom {
  if (id !== undefined && emails === undefined) return { by: 'id', id };
  if (emails !== undefined && id === undefined) return { by: 'emails', emails: distinctEmails(emails) };
  const message = 'exactly one of UserId and Emails is required';
  throw invalidRequest('Exactly one of UserId and Emails is required', {
    errors: [
      { pointer: '/UserId', message, code: 'does_not_go_with' },
      { pointer: '/Emails', message, code: 'does_not_go_with' },
    ],
  });
}
