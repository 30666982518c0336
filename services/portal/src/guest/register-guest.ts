import { acceptInvitation } from '@gatehouse/accounts';
import { invalidPassword, invalidRequest } from '@gatehouse/http';
import { contentAddress, DisplayName, Locale, Password, Type } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { InvitationToken, readInvitationToken } from './invitation-token.ts';

export const registerGuest = route({
  method: 'post',
  path: '/account/register-guest',
  operationId: 'registerGuest',
  tag: 'Guests',
  summary: 'Complete a guest account with an invitation link',
  description:
    'The email address counts as verified, because the link was sent to it. All other pending invitations of the ' +
    'account are accepted as well. `Password` can be omitted if `EMAIL_LOGIN` is not `off`: the guest then has none, ' +
    'and logs in with mailed codes.',
  access: 'public',
  body: Type.Object({
    InvitationToken,
    Password: Type.Optional(Password()),
    DisplayName: Type.Optional(DisplayName()),
    Locale: Type.Optional(Locale()),
  }),
  response: Type.Object({
    ContentUrl: Type.Optional(
      Type.String({ description: 'The URL of the shared content, if `CONTENT_URL` is configured' }),
    ),
    HandoverCode: Type.Optional(
      Type.String({
        description:
          'Without a password: opens the guest’s first session at `POST /account/handover/exchange`, within a minute',
      }),
    ),
  }),
  errors: ['invalid_invitation'],
  handler: async ({ body, deps, request, refuse }) => {
    const given = {
      token: readInvitationToken(body.InvitationToken),
      password: body.Password,
      displayName: body.DisplayName,
      locale: body.Locale,
    };
    const outcome = await acceptInvitation(deps, given, request);
    switch (outcome.kind) {
      case 'accepted':
        request.addToLog({ accountId: outcome.accountId });
        return {
          ...(deps.contentUrl !== undefined && {
            ContentUrl: contentAddress(deps.contentUrl, outcome.contentDefinitionId),
          }),
          ...(outcome.loginCode !== undefined && { HandoverCode: outcome.loginCode }),
        };
      case 'password_required':
        throw invalidRequest(undefined, {
          errors: [{ pointer: '/Password', message: 'is required', code: 'required' }],
        });
      case 'invalid':
        throw refuse('invalid_invitation');
      case 'unfit_password':
        throw invalidPassword(outcome.fault);
    }
  },
});
