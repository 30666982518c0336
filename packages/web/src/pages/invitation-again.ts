/** How to send the invitation mail again. */
export const INVITATION_AGAIN = {
  path: '/account/resend-invitation',
  words: { send: 'invitation.again', sent: 'invitation.again.sent' },
} as const;
