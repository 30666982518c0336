import type { AccountsDeps, MailRequests, OpenAccounts } from '@gatehouse/accounts';
import type { ApiDefinition, OpenApi } from '@gatehouse/http';
import { VERSION, type Lifecycle, type Metrics } from '@gatehouse/runtime';
import { emailRoutes } from './account/email.ts';
import { passwordRoutes } from './account/password.ts';
import { answerMailRequests } from './account/mail-requests.ts';
import { erasureRoutes } from './erasure/erasure.ts';
import { addPasskeyRoutes, confirmWithPasskey, passkeyRoutes, requestPasskey } from './passkey/passkeys.ts';
import { requestLoginCode } from './email-login/request-login-code.ts';
import { login } from './account/login/login.ts';
import { ownIdentityRoutes } from './sso/own-identities.ts';
import { listOwnSignIns } from './sign-in/list-own-sign-ins.ts';
import { logoutSession, pingSession, refreshToken } from './account/session.ts';
import { register } from './account/register.ts';
import { twoFactorRoutes } from './two-factor/two-factor.ts';
import { verifyRoutes } from './account/verify.ts';
import type { Deps } from './deps.ts';
import { handoverRoutes } from './handover/handover.ts';
import { authorizationServer, openidConfiguration } from './oauth/openid-configuration.ts';
import { clientTokenRoutes } from './oauth/client-token.ts';
import { applicationJwks, jwks, relatedOrigins } from './ping/well-known.ts';
import { endSession } from './oauth/end-session.ts';
import { ownAppRoutes } from './oauth/own-apps.ts';
import { authorizeClient } from './oauth/authorization.ts';
import { answerDevice, authorizeDevice } from './oauth/device.ts';
import { requestClientToken } from './oauth/token.ts';
import { ping, pingAuth } from './ping/ping.ts';
import { accountOptions } from './page/account-options.ts';
import { faceRoutes } from './person/face/face.ts';
import { createFaceLimiter } from './person/face/review.ts';
import { PERSON_ACCESS, personRoutes, type PersonRole } from './person/person.ts';
import { listSessionChanges, streamSessionChanges } from './session-event/session-change.ts';

export const about = {
  title: 'Gatehouse Core API',
  version: VERSION,
  description: 'Registration, login, sessions and tokens, and a directory of persons.',
  cookies: ['pages', 'console'],
  tags: {
    Sessions: 'Login, token renewal, pings, logout, and hand-over to a browser',
    Account:
      'Registration, the caller’s own email and password, export and erasure, and options for account pages',
    'Two-factor authentication': 'The second factor of the caller’s own account',
    Passkeys: 'The passkeys of the caller’s own account',
    'Single sign-on': 'The single sign-on identities of the caller’s own account',
    Applications: 'Sign-ins to other applications, by OpenID Connect',
    'Health and tokens': 'Health of the API, and token checks for gateways and other APIs',
    Persons: 'The directory of persons whose faces are recognized',
    Faces: 'Recognized faces of persons, and their review',
  },
} as const;

export const routes = [
  pingSession,
  pingAuth,
  ping,
  refreshToken,
  login,
  requestPasskey,
  requestLoginCode,
  logoutSession,
  ...handoverRoutes,
  listSessionChanges,
  streamSessionChanges,
  register,
  ...verifyRoutes,
  ...passwordRoutes,
  ...emailRoutes,
  ...twoFactorRoutes,
  accountOptions,
  ...erasureRoutes,
  ...addPasskeyRoutes,
  confirmWithPasskey,
  listOwnSignIns,
  ...passkeyRoutes,
  ...ownIdentityRoutes,
  authorizeClient,
  authorizeDevice,
  answerDevice,
  requestClientToken,
  endSession,
  ...ownAppRoutes,
  jwks,
  applicationJwks,
  authorizationServer,
  openidConfiguration,
  ...clientTokenRoutes,
  relatedOrigins,
  ...personRoutes,
  ...faceRoutes,
];

/** Creates Core's API for the given accounts, and mails requested codes until `lifecycle` ends. */
export function coreApi(
  { auth, ...accounts }: OpenAccounts,
  options: CoreOptions,
): ApiDefinition<Deps & { mailRequests: MailRequests }> {
  const { lifecycle, metrics, publicDocument, personRoles, ...own } = options;
  const needed = { ...accounts, ...own, authenticate: auth.authenticate, faceLimiter: createFaceLimiter() };
  const mailRequests = answerMailRequests(needed, metrics);
  lifecycle.every(5, 'counting requests for emails', () => mailRequests.countWaiting());
  lifecycle.onStop(() => mailRequests.stop());
  const admitted = routes.map((route) =>
    route.access === PERSON_ACCESS ? { ...route, access: personRoles } : route,
  );
  return { ...about, routes: admitted, deps: { ...needed, mailRequests }, auth, publicDocument };
}

type Own = Omit<Deps, keyof AccountsDeps | 'keys' | 'authenticate' | 'mailRequests' | 'faceLimiter'>;

export interface CoreOptions extends Own {
  personRoles: readonly [PersonRole, ...PersonRole[]];
  publicDocument?: () => OpenApi;
  lifecycle: Lifecycle;
  metrics: Metrics;
}
