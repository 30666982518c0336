import type { ComponentType } from 'preact';
import { AppsPage } from './apps/apps-page.tsx';
import { AuthorizePage } from './authorize/authorize-page.tsx';
import { CompleteAccountPage } from './complete-account/complete-account-page.tsx';
import { ConfirmEmailPage } from './confirm-email/confirm-email-page.tsx';
import { DataPage } from './data/data-page.tsx';
import { EndSessionPage } from './end-session/end-session-page.tsx';
import { ForgotPasswordPage } from './forgot-password/forgot-password-page.tsx';
import { LoginPage } from './login/login-page.tsx';
import { PATHS } from './paths.ts';
import { ProfilePage } from './profile/profile-page.tsx';
import { SecurityPage } from './security/security-page.tsx';
import { SessionsPage } from './sessions/sessions-page.tsx';
import { RegisterGuestPage } from './register-guest/register-guest-page.tsx';
import { RegisterPage } from './register/register-page.tsx';
import { ResetPasswordPage } from './reset-password/reset-password-page.tsx';
import { RestoreAccountPage } from './restore-account/restore-account-page.tsx';
import { TakeBackEmailPage } from './take-back-email/take-back-email-page.tsx';
import { VerifyEmailPage } from './verify-email/verify-email-page.tsx';

/** The page at each path. */
export const PAGES: Readonly<Record<string, ComponentType>> = {
  [PATHS.login]: LoginPage,
  [PATHS.register]: RegisterPage,
  [PATHS.verifyEmail]: VerifyEmailPage,
  [PATHS.forgotPassword]: ForgotPasswordPage,
  [PATHS.confirmEmail]: ConfirmEmailPage,
  [PATHS.takeBackEmail]: TakeBackEmailPage,
  [PATHS.profile]: ProfilePage,
  [PATHS.profileSecurity]: SecurityPage,
  [PATHS.profileSessions]: SessionsPage,
  [PATHS.profileData]: DataPage,
  [PATHS.profileApps]: AppsPage,
  [PATHS.authorize]: AuthorizePage,
  [PATHS.endSession]: EndSessionPage,
  [PATHS.restoreAccount]: RestoreAccountPage,
  [PATHS.resetPassword]: ResetPasswordPage,
  [PATHS.completeAccount]: CompleteAccountPage,
  [PATHS.registerGuest]: RegisterGuestPage,
};
