import type { PAGE_PATHS } from '@gatehouse/schema';

/** Where each page stands. The type holds them to the paths that mails and the gateway know, whose package stays out of browsers. */
export const PATHS: typeof PAGE_PATHS = {
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
};
