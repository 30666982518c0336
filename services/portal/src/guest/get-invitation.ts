import { findInvitation } from '@gatehouse/accounts';
import { tooManyFailures } from '@gatehouse/http';
import { Enum, shownName, Type } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { InvitationToken, readInvitationToken } from './invitation-token.ts';

export const getInvitation = route({
  method: 'post',
  path: '/account/invitation',
  operationId: 'getInvitationByLink',
  tag: 'Guests',
  summary: 'Find out what an invitation link is about',
  description:
    'Changes nothing: the link is used up by `/account/register-guest` alone. `Expired` links can be requested again ' +
    'with `/account/resend-invitation`. A link that was replaced by a newer one is `invalid_invitation`, like a wrong one.',
  access: 'public',
  body: Type.Object({ InvitationToken }),
  response: Type.Object({
    State: Enum(['Open', 'Used', 'Expired', 'Revoked']),
    Email: Type.String({ description: 'The address that was invited' }),
    Inviter: Type.Optional(
      Type.String({
        description: 'The name of the person who invites, unless it could be a message or a link',
      }),
    ),
    Content: Type.Optional(
      Type.Object(
        { Name: Type.String(), Kind: Enum(['LiveChannel', 'Recording', 'Document']) },
        { title: 'InvitedContent', description: 'Absent if the invited person may not see it (any more)' },
      ),
    ),
  }),
  errors: ['invalid_invitation', 'too_many_requests'],
  handler: async ({ body, deps, request, refuse }) => {
    const token = readInvitationToken(body.InvitationToken);
    const found = await findInvitation(deps, { token, addressGroup: request.addressGroup });
    switch (found.kind) {
      case 'unknown':
        throw refuse('invalid_invitation');
      case 'throttled':
        throw tooManyFailures(refuse, found);
      case 'found': {
        const { state, email, inviterName, content } = found.invitation;
        const inviter = content === null ? undefined : shownName(inviterName ?? undefined);
        return {
          State: state,
          Email: email,
          ...(inviter !== undefined && { Inviter: inviter }),
          ...(content !== null && { Content: { Name: content.name, Kind: content.kind } }),
        };
      }
    }
  },
});
