import type { PAGE_PATHS } from '@gatehouse/schema';

/** The path of each page. Its type ensures that mails and the gateway use the same, without bundling their package. */
export const PATHS: typeof PAGE_PATHS = {
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
};
