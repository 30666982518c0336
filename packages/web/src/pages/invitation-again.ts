/** How the mail with the link of an invitation is sent again. */
export const INVITATION_AGAIN = {
  path: '/account/resend-invitation',
  words: { send: 'invitation.again', sent: 'invitation.again.sent' },
} as const;
