/** Below `PUBLIC_URL`: pages to which mails and redirects lead, ours or those of an operator who replaces them. */
export const PAGE_PATHS = {
  login: '/login',
  register: '/register',
  verifyEmail: '/verify-email',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  completeAccount: '/complete-account',
  registerGuest: '/register-guest',
  confirmEmail: '/confirm-email',
  takeBackEmail: '/take-back-email',
  restoreAccount: '/restore-account',
  profile: '/profile',
  profileSecurity: '/profile/security',
  profileSessions: '/profile/sessions',
  profileData: '/profile/data',
  profileApps: '/profile/apps',
  authorize: '/oauth/authorize',
  endSession: '/oauth/logout',
  device: '/device',
} as const;
export type PagePath = (typeof PAGE_PATHS)[keyof typeof PAGE_PATHS];

/** The console's screens by depth, as `/console/accounts/{id}/sessions`. All return the same document. */
export const CONSOLE_PATHS = [
  '/console',
  '/console/:screen',
  '/console/:screen/:id',
  '/console/:screen/:id/:tab',
] as const;

/**
 * What a link passes to a page after the `#`, as `name=value` with `&`, percent-encoded. Browsers and mail scanners
 * send it to no server, so opening a link uses nothing up and leaves no secret in a log.
 */
export const PAGE_FRAGMENTS = [
  'Email',
  'Code',
  'InvitationToken',
  'HandoverCode',
  'SignOnCode',
  'IdentityCode',
  'SignOnError',
  'State',
  'Address',
  'ErasesAt',
] as const;
export type PageFragment = Partial<Record<(typeof PAGE_FRAGMENTS)[number], string>>;

/** The placeholder in `CONTENT_URL` for the id of a content definition. */
export const CONTENT_PLACE = '{ContentDefinitionId}';

export function contentAddress(contentUrl: string, contentDefinitionId: string): string {
  return contentUrl.replace(CONTENT_PLACE, () => encodeURIComponent(contentDefinitionId));
}
