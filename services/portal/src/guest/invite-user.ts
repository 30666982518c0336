import { actorOf, distinctEmails, INVITE_RESULTS, inviteUsers, type Invited } from '@gatehouse/accounts';
import { readFutureMoment } from '@gatehouse/http';
import { Email, Enum, Locale, Nullable, Timestamp, Type, Uuid } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { managedContent } from './managed-content.ts';

const InviteResult = Enum(INVITE_RESULTS);

export const inviteUser = route({
  method: 'post',
  path: '/account/invite-user',
  operationId: 'inviteUsers',
  tag: 'Guests',
  summary: 'Share content with people by email address',
  description:
    'People with an account get access immediately and are notified by email (`AccessGranted`); everyone ' +
    'else receives a link to register as a guest (`Invited`, `Reinvited`). Either all are invited or ' +
    'none. An inviter can send up to 200 invitations a day.',
  access: ['User', 'Admin', 'Service'],
  body: Type.Object({
    Emails: Type.Array(Email(), { minItems: 1, maxItems: 100 }),
    ContentDefinitionId: Uuid(),
    ExpiresAt: Type.Optional(
      Nullable(Timestamp(), {
        description:
          'When the access ends; null means never. For people who already have access or an invitation, ' +
          'omitting it keeps the current end.',
      }),
    ),
    Locale: Type.Optional(
      Locale({ description: 'The language of people without an account; by default that of the inviter' }),
    ),
  }),
  response: Type.Object({
    Items: Type.Array(
      Type.Object({ Email: Type.String(), UserId: Uuid(), Result: InviteResult }, { title: 'InvitedUser' }),
    ),
  }),
  errors: ['not_found', 'forbidden', 'too_many_requests'],
  handler: async ({ body, caller, deps, request, refuse }) => {
    const sharing = await managedContent(refuse, deps, caller, body.ContentDefinitionId);
    const { Emails, ExpiresAt: end } = body;
    const accessExpiresAt = typeof end === 'string' ? readFutureMoment(end, '/ExpiresAt', deps.now()) : end;
    const invitation = {
      ...sharing,
      emails: distinctEmails(Emails),
      actor: actorOf(caller),
      accessExpiresAt,
      locale: body.Locale,
    };
    const outcome = await inviteUsers(deps, invitation, request);
    switch (outcome.kind) {
      case 'invited':
        return { Items: outcome.invited.map(itemOf) };
      case 'gone':
        throw refuse('not_found', 'Content not found');
      case 'throttled': {
        const { retryAfterSeconds } = outcome;
        throw refuse('too_many_requests', 'Daily invitation limit reached', { retryAfterSeconds });
      }
    }
  },
});

function itemOf({ email, accountId, result }: Invited) {
  return { Email: email, UserId: accountId, Result: result };
}
