/** The sections of an account's export, in the order of its document (docs/erasure.md). */
export const EXPORT_SECTIONS = [
  'Profile',
  'Passkeys',
  'Identities',
  'Sessions',
  'SessionHistory',
  'SignIns',
  'Apps',
  'OwnedContent',
  'Content',
  'InvitationsReceived',
  'InvitationsSent',
  'FaceReviews',
  'Audit',
  'Mails',
] as const;
export type ExportSection = (typeof EXPORT_SECTIONS)[number];
