import { Type } from '@gatehouse/schema';

const LENGTH_MAX = 100;

/** The secret of a link. As with codes, any invalid value gets the same response as a wrong token. */
export const InvitationToken = Type.Optional(
  Type.Unknown({ description: 'The `InvitationToken` parameter of the link, as a string' }),
);

/** The token as it was typed; no link has the empty one. */
export function readInvitationToken(typed: unknown): string {
  return typeof typed === 'string' && typed.length <= LENGTH_MAX ? typed : '';
}
