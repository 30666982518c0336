/**
 * The paths, below `PUBLIC_URL`, of the pages to which mails link and browsers are redirected: Gatehouse's own pages,
 * or those of an operator who replaces them.
 */
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

/**
 * The paths of the console's screens, by depth, such as `/console/accounts/{id}/sessions`. All return the same
 * document.
 */
export const CONSOLE_PATHS = [
  '/console',
  '/console/:screen',
  '/console/:screen/:id',
  '/console/:screen/:id/:tab',
] as const;

/**
 * The values that a link passes to a page after the `#`, as `name=value`, separated by `&` and percent-encoded.
 * Browsers and mail scanners do not send this part to a server, so opening a link uses nothing up and leaves no secret
 * in a log.
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
