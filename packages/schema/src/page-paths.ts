/**
 * The paths, below `PUBLIC_URL`, of the pages that mails link to and browsers are sent to: Gatehouse's own pages, or
 * those of an operator who replaces them.
 */
export const PAGE_PATHS = {
  login: '/login',
  register: '/register',
  verifyEmail: '/verify-email',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  registerGuest: '/register-guest',
  confirmEmail: '/confirm-email',
  restoreAccount: '/restore-account',
  profile: '/profile',
  profileSecurity: '/profile/security',
  profileSessions: '/profile/sessions',
  profileData: '/profile/data',
} as const;
export type PagePath = (typeof PAGE_PATHS)[keyof typeof PAGE_PATHS];

/** How deep the addresses of the console's screens go: `/console/accounts/{id}/sessions`. They are one document. */
export const CONSOLE_PATHS = [
  '/console',
  '/console/:screen',
  '/console/:screen/:id',
  '/console/:screen/:id/:tab',
] as const;

/**
 * What a link gives a page behind the `#`, as `name=value` with `&` between and values percent-encoded: no browser
 * and no mail scanner sends it to a server, so that opening a link uses nothing up and leaves no secret in a log.
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
] as const;
export type PageFragment = Partial<Record<(typeof PAGE_FRAGMENTS)[number], string>>;
