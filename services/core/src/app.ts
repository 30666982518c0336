import type { Auth } from '@gatehouse/auth-core';
import { createApi } from '@gatehouse/http';
import type { Log, Metrics } from '@gatehouse/runtime';
import { forgotPassword } from './account/forgot-password.ts';
import { login } from './account/login.ts';
import { logoutSession } from './account/logout.ts';
import { pingSession } from './account/ping.ts';
import { refreshToken } from './account/refresh-token.ts';
import { register } from './account/register.ts';
import { resetPassword } from './account/reset-password.ts';
import { verifyEmail } from './account/verify.ts';
import type { Deps } from './deps.ts';
import { jwks } from './ping/jwks.ts';
import { pingAuth } from './ping/ping-auth.ts';
import { ping } from './ping/ping.ts';

export const about = { title: 'Gatehouse Core', version: '1' };

export const routes = [
  pingSession,
  pingAuth,
  ping,
  refreshToken,
  login,
  logoutSession,
  register,
  verifyEmail,
  forgotPassword,
  resetPassword,
  jwks,
];

/** Core's API. */
export function createCore(options: {
  deps: Deps;
  auth: Auth;
  log: Log;
  metrics: Metrics;
  trustProxy: string;
  corsOrigins: string;
}) {
  return createApi<Deps>({ ...about, routes, ...options });
}
