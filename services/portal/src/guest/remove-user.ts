import { actorOf, distinctEmails, removeAccess } from '@gatehouse/accounts';
import { ApiError } from '@gatehouse/http';
import { Email, Type, Uuid } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { managedContent } from './managed-content.ts';

const RemoveResult = Type.Unsafe<'AccessRevoked' | 'InvitationDeleted' | 'NoAccess'>({
  type: 'string',
  enum: ['AccessRevoked', 'InvitationDeleted', 'NoAccess'],
});

export const removeUser = route({
  method: 'post',
  path: '/account/remove-user',
  operationId: 'removeUsers',
  tag: 'Guests',
  summary: 'Take content back from people, by one id or by emails',
  description:
    'Give either `UserId` or `Emails`. The sessions of a guest end, and a guest without any content left is expired or removed (`GUEST_WITHOUT_CONTENT`); other users stay logged in. An item of `NoAccess` holds only what was asked for, `UserId` or `Email`, so that nobody learns whose account an id or an email is. An email finds whoever has it and whoever came to the content by it: where that are two, there are two items. `Email` is the address that was invited, also where the account has another one by now.',
  access: ['User', 'Admin', 'Service'],
  body: Type.Object(
    {
      UserId: Type.Optional(Uuid()),
      Emails: Type.Optional(Type.Array(Email(), { minItems: 1, maxItems: 100 })),
      ContentId: Uuid(),
    },
    { oneOfFields: [['UserId'], ['Emails']] },
  ),
  response: Type.Object({
    Items: Type.Array(
      Type.Object({
        UserId: Type.Optional(Uuid()),
        Email: Type.Optional(Type.String()),
        Result: RemoveResult,
      }),
    ),
  }),
  errors: ['not_found'],
  handler: async ({ body, caller, deps, request }) => {
    const from = whom(body);
    const sharing = await managedContent(deps, caller, body.ContentId);
    const removals = await removeAccess(deps, { ...sharing, from, actor: actorOf(caller) }, request);
    return {
      Items: removals.map(({ name, result, from: whose }) => ({
        ...(whose && { UserId: whose.account.id, Email: whose.invitedEmail }),
        ...('id' in from ? { UserId: name } : { Email: from.emails.get(name) ?? name }),
        Result: result,
      })),
    };
  },
});

function whom(body: {
  UserId?: string;
  Emails?: string[];
}): { id: string } | { emails: Map<string, string> } {
  const { UserId: id, Emails: emails } = body;
  if (id !== undefined && emails === undefined) return { id: id.toLowerCase() };
  if (emails !== undefined && id === undefined) {
    return { emails: distinctEmails(emails) };
  }
  const message = 'give either UserId or Emails';
  throw new ApiError('invalid_request', 'Either UserId or Emails is needed, and not both', {
    errors: [
      { pointer: '/UserId', message, code: 'does_not_go_with' },
      { pointer: '/Emails', message, code: 'does_not_go_with' },
    ],
  });
}
