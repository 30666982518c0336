/** How to send the invitation mail again. */
export const RESEND_INVITATION = {
  path: '/account/resend-invitation',
  words: { send: 'invitation.again', sent: 'invitation.again.sent' },
} as const;
