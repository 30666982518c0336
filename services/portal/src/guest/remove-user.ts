import { actorOf, distinctEmails, REMOVE_RESULTS, removeAccess, type RemovedFrom } from '@gatehouse/accounts';
import { invalidRequest } from '@gatehouse/http';
import { Email, Enum, Type, Uuid } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { managedContent } from './managed-content.ts';

const RemoveResult = Enum(REMOVE_RESULTS);

export const removeUser = route({
  method: 'post',
  path: '/account/remove-user',
  operationId: 'removeUsers',
  tag: 'Guests',
  summary: 'Revoke access to content',
  description:
    'Send either `UserId` or `Emails`. Ends the sessions of guests; a guest without any remaining content ' +
    'is expired or removed (`GUEST_WITHOUT_CONTENT`). An email address matches both the account that has ' +
    'it now and the account that was invited with it.',
  access: ['User', 'Admin', 'Service'],
  body: Type.Object(
    {
      UserId: Type.Optional(Uuid()),
      Emails: Type.Optional(Type.Array(Email(), { minItems: 1, maxItems: 100 })),
      ContentId: Uuid(),
    },
    { oneOfFields: { ByUserId: ['UserId'], ByEmails: ['Emails'] } },
  ),
  response: Type.Object({
    Items: Type.Array(
      Type.Object(
        {
          UserId: Type.Optional(Uuid()),
          Email: Type.Optional(Type.String()),
          Result: RemoveResult,
        },
        { title: 'RemovedUser' },
      ),
    ),
  }),
  errors: ['not_found', 'forbidden'],
  handler: async ({ body, caller, deps, request, refuse }) => {
    const from = whom(body);
    const sharing = await managedContent(refuse, deps, caller, body.ContentId);
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

function whom(body: { UserId?: string; Emails?: string[] }): RemovedFrom {
  const { UserId: id, Emails: emails } = body;
  if (id !== undefined && emails === undefined) return { by: 'id', id };
  if (emails !== undefined && id === undefined) {
    return { by: 'emails', emails: distinctEmails(emails) };
  }
  const message = 'exactly one of UserId and Emails is required';
  throw invalidRequest('Exactly one of UserId and Emails is required', {
    errors: [
      { pointer: '/UserId', message, code: 'does_not_go_with' },
      { pointer: '/Emails', message, code: 'does_not_go_with' },
    ],
  });
}
