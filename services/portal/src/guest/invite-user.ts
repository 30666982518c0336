import { actorOf, distinctEmails, inviteUsers, publishSessions } from '@gatehouse/accounts';
import { audit, inTransaction } from '@gatehouse/db';
import { Email, Enum, Type, Uuid } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { managedContent } from './managed-content.ts';

const InviteResult = Enum(['Invited', 'AccessGranted', 'AlreadyHasAccess', 'Reinvited']);

export const inviteUser = route({
  method: 'post',
  path: '/account/invite-user',
  operationId: 'inviteUsers',
  tag: 'Guests',
  summary: 'Share content with people by email address',
  description:
    'People with an account get access immediately and are notified by email (`AccessGranted`). Everyone else ' +
    'receives an email with a link to register as a guest (`Invited`). `Reinvited` invalidates the previous ' +
    'link. Different spellings of an email address count as one item. Either all are invited or none. Disabled ' +
    'accounts receive no email. An inviter can send up to 200 invitations a day.',
  access: ['User', 'Admin', 'Service'],
  body: Type.Object({
    Emails: Type.Array(Email(), { minItems: 1, maxItems: 100 }),
    ContentDefinitionId: Uuid(),
  }),
  response: Type.Object({
    Items: Type.Array(
      Type.Object({ Email: Type.String(), UserId: Uuid(), Result: InviteResult }, { title: 'InvitedUser' }),
    ),
  }),
  errors: ['not_found', 'forbidden', 'too_many_requests'],
  handler: async ({ body, caller, deps, request, refuse }) => {
    const sharing = await managedContent(refuse, deps, caller, body.ContentDefinitionId);
    const emails = distinctEmails(body.Emails);
    const { invited, changedSessionIds } = await inTransaction(deps.db, request, async (tx) => {
      const outcome = await inviteUsers(deps, tx, { ...sharing, emails }, request);
      if ('gone' in outcome) throw refuse('not_found', 'Content not found');
      if ('retryAfterSeconds' in outcome) {
        throw refuse('too_many_requests', 'Daily invitation limit reached', outcome);
      }
      const changes = outcome.invited.filter(({ result }) => result !== 'AlreadyHasAccess');
      const entries = changes.map(({ accountId, result }) => ({
        action: 'user.invited' as const,
        actor: actorOf(caller),
        target: { kind: 'Account' as const, id: accountId },
        details: { ContentDefinitionId: sharing.content.id, Result: result },
      }));
      await audit.append(tx, entries, request);
      return outcome;
    });
    await publishSessions(deps, changedSessionIds);
    return {
      Items: invited.map(({ email, accountId, result }) => ({
        Email: email,
        UserId: accountId,
        Result: result,
      })),
    };
  },
});
