import type { ComponentType } from 'preact';
import { ConfirmEmailPage } from './confirm-email/confirm-email-page.tsx';
import { ForgotPasswordPage } from './forgot-password/forgot-password-page.tsx';
import { LoginPage } from './login/login-page.tsx';
import { PATHS } from './paths.ts';
import { ProfilePage } from './profile/profile-page.tsx';
import { SecurityPage } from './security/security-page.tsx';
import { SessionsPage } from './sessions/sessions-page.tsx';

/** What is shown at each path. */
export const PAGES: Readonly<Record<string, ComponentType>> = {
  [PATHS.login]: LoginPage,
  [PATHS.forgotPassword]: ForgotPasswordPage,
  [PATHS.confirmEmail]: ConfirmEmailPage,
  [PATHS.profile]: ProfilePage,
  [PATHS.profileSecurity]: SecurityPage,
  [PATHS.profileSessions]: SessionsPage,
};
