import type { ComponentType } from 'preact';
import { LocationProvider, Route, Router } from 'preact-iso';
import type { Fragment } from '../ui/browser.ts';
import { AppsPage } from './authorize/apps.tsx';
import { AuthorizePage, EndSessionPage } from './authorize/authorize.tsx';
import { DevicePage } from './authorize/device.tsx';
import { DataPage } from './data/data.tsx';
import { ConfirmEmailPage, RestoreAccountPage, TakeBackEmailPage } from './link-page.tsx';
import { LoginPage } from './login/login.tsx';
import { PageStateContext, PATHS, useSharedState } from './page.ts';
import { ProfilePage } from './profile/profile.tsx';
import { RegisterGuestPage } from './register/guest.tsx';
import { CompleteAccountPage, ForgotPasswordPage, ResetPasswordPage } from './register/password.tsx';
import { RegisterPage, VerifyEmailPage } from './register/register.tsx';
import { SecurityPage } from './security/security.tsx';
import { SessionsPage } from './sessions/sessions.tsx';

export function App({ fragment }: { fragment: Fragment }) {
  return (
    <PageStateContext.Provider value={useSharedState(fragment)}>
      <LocationProvider scope={OURS}>
        <Router>
          {Object.entries(PAGES).map(([path, page]) => (
            <Route key={path} path={path} component={page} />
          ))}
        </Router>
      </LocationProvider>
    </PageStateContext.Provider>
  );
}

/** Links to other addresses are opened by the browser, not by the router. */
const OURS =
  /^\/(?:login|register|verify-email|forgot-password|reset-password|complete-account|register-guest|confirm-email|take-back-email|restore-account|device|oauth|profile)(?:\/[a-z-]+)?(?:[?#]|$)/;

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
  [PATHS.device]: DevicePage,
  [PATHS.restoreAccount]: RestoreAccountPage,
  [PATHS.resetPassword]: ResetPasswordPage,
  [PATHS.completeAccount]: CompleteAccountPage,
  [PATHS.registerGuest]: RegisterGuestPage,
};
