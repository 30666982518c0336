import { actorOf, distinctEmails, INVITE_RESULTS, inviteUsers } from '@gatehouse/accounts';
import { readFutureMoment } from '@gatehouse/http';
import { Email, Enum, Locale, Nullable, Timestamp, Type, Uuid } from '@gatehouse/schema';
import { route } from '../../deps.ts';
import { ContentPath } from './content-answer.ts';
import { sharedContent } from './shared-content.ts';

export const inviteToContent = route({
  method: 'post',
  path: '/admin/content-definition/:id/invite',
  operationId: 'inviteUsersToContentDefinition',
  tag: 'Content',
  summary: 'Share content with people by email address',
  description:
    'The same as Portal’s `/account/invite-user`, in the name of the administrator: people with an account get ' +
    'access immediately, everyone else receives an email with a link. Either all are invited or none. An ' +
    'administrator can send up to 200 invitations a day.',
  access: ['Admin'],
  recent: { never: 'every owner of content may do the same, and it can be undone' },
  params: ContentPath,
  body: Type.Object({
    Emails: Type.Array(Email(), { minItems: 1, maxItems: 100 }),
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
      Type.Object(
        { Email: Type.String(), UserId: Uuid(), Result: Enum(INVITE_RESULTS) },
        { title: 'InvitedUser' },
      ),
    ),
  }),
  errors: ['not_found', 'too_many_requests'],
  handler: async ({ params, body, caller, deps, request, refuse }) => {
    const sharing = await sharedContent(deps, params.id, caller);
    if (sharing === undefined) throw refuse('not_found', 'Content not found');
    const { Emails, ExpiresAt: end } = body;
    const accessExpiresAt = typeof end === 'string' ? readFutureMoment(end, '/ExpiresAt', deps.now()) : end;
    const emails = distinctEmails(Emails);
    const { Locale: locale } = body;
    const invitation = { ...sharing, emails, actor: actorOf(caller), accessExpiresAt, locale };
    const outcome = await inviteUsers(deps, invitation, request);
    switch (outcome.kind) {
      case 'invited':
        return {
          Items: outcome.invited.map(({ email, accountId, result }) => ({
            Email: email,
            UserId: accountId,
            Result: result,
          })),
        };
      case 'gone':
        throw refuse('not_found', 'Content not found');
      case 'throttled': {
        const { retryAfterSeconds } = outcome;
        throw refuse('too_many_requests', 'Daily invitation limit reached', { retryAfterSeconds });
      }
    }
  },
});
