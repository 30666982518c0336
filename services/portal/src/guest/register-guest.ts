import { acceptInvitation } from '@gatehouse/accounts';
import { invalidPassword } from '@gatehouse/http';
import { contentAddress, DisplayName, Password, Type } from '@gatehouse/schema';
import { route } from '../deps.ts';

const TOKEN_LENGTH_MAX = 100;

export const registerGuest = route({
  method: 'post',
  path: '/account/register-guest',
  operationId: 'registerGuest',
  tag: 'Guests',
  summary: 'Complete a guest account with an invitation link',
  description:
    'The email address counts as verified, because the link was sent to it. All other pending invitations of the ' +
    'account are accepted as well. Log in afterwards as usual.',
  access: 'public',
  body: Type.Object({
    // As with codes, any invalid value gets the same response as a wrong token.
    InvitationToken: Type.Optional(
      Type.Unknown({ description: 'The `InvitationToken` parameter of the link, as a string' }),
    ),
    Password: Password(),
    DisplayName: DisplayName(),
  }),
  response: Type.Object({
    ContentUrl: Type.Optional(
      Type.String({ description: 'The URL of the shared content, if `CONTENT_URL` is configured' }),
    ),
  }),
  errors: ['invalid_invitation'],
  handler: async ({ body, deps, request, refuse }) => {
    const { InvitationToken: typed, Password: password, DisplayName: displayName } = body;
    const token = typeof typed === 'string' && typed.length <= TOKEN_LENGTH_MAX ? typed : '';
    const outcome = await acceptInvitation(deps, { token, password, displayName }, request);
    switch (outcome.kind) {
      case 'accepted':
        request.addToLog({ accountId: outcome.accountId });
        return deps.contentUrl === undefined
          ? {}
          : { ContentUrl: contentAddress(deps.contentUrl, outcome.contentDefinitionId) };
      case 'invalid':
        throw refuse('invalid_invitation');
      case 'unfit_password':
        throw invalidPassword(outcome.fault);
    }
  },
});
