import type { ComponentType } from 'preact';
import { ForgotPasswordPage } from './forgot-password/forgot-password-page.tsx';
import { LoginPage } from './login/login-page.tsx';
import { PATHS } from './paths.ts';

/** What is shown at each path. */
export const PAGES: Readonly<Record<string, ComponentType>> = {
  [PATHS.login]: LoginPage,
  [PATHS.forgotPassword]: ForgotPasswordPage,
};
