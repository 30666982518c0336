import type { Auth } from '@gatehouse/auth-core';
import { createApi, type Route } from '@gatehouse/http';
import type { Log, Metrics } from '@gatehouse/runtime';
import { deleteTwoFactor } from './account/delete-two-factor.ts';
import { getAccount } from './account/get-account.ts';
import { importAccounts } from './account/import-accounts.ts';
import { listAccounts } from './account/list-accounts.ts';
import { patchAccount } from './account/patch-account.ts';
import { postAccount } from './account/post-account.ts';
import { resetPassword } from './account/reset-password.ts';
import { deleteApiToken } from './api-token/delete-api-token.ts';
import { listApiTokens } from './api-token/list-api-tokens.ts';
import { postApiToken } from './api-token/post-api-token.ts';
import { listAudit } from './audit/list-audit.ts';
import { deleteContent } from './content/delete-content.ts';
import { getContent } from './content/get-content.ts';
import { listContent } from './content/list-content.ts';
import { postContent } from './content/post-content.ts';
import { putContent } from './content/put-content.ts';
import type { Deps } from './deps.ts';
import { eventSchemas } from './event/event-schemas.ts';
import { deleteInvitation } from './invitation/delete-invitation.ts';
import { listInvitation } from './invitation/list-invitation.ts';
import { resendInvitation } from './invitation/resend-invitation.ts';
import { getMail } from './mail/get-mail.ts';
import { listMail } from './mail/list-mail.ts';
import { retryMail } from './mail/retry-mail.ts';
import { getSession } from './session/get-session.ts';
import { listSessionEvent } from './session/list-session-event.ts';
import { listSession } from './session/list-session.ts';
import { postSession } from './session/post-session.ts';
import { ssoCallback } from './sso/callback.ts';
import { ssoLogin } from './sso/login.ts';
import { ssoRenew } from './sso/renew.ts';

export const about = {
  title: 'Gatehouse Admin API',
  version: '1',
  description:
    'Administration of accounts, sessions, content, invitations, emails and API tokens, and single sign-on.',
};

export const routes: Route<Deps>[] = [
  listSession,
  getSession,
  postSession,
  listSessionEvent,
  eventSchemas,
  listAccounts,
  getAccount,
  postAccount,
  patchAccount,
  resetPassword,
  deleteTwoFactor,
  importAccounts,
  listContent,
  getContent,
  postContent,
  putContent,
  deleteContent,
  listApiTokens,
  postApiToken,
  deleteApiToken,
  listAudit,
  listMail,
  getMail,
  retryMail,
  listInvitation,
  deleteInvitation,
  resendInvitation,
  ssoLogin,
  ssoCallback,
  ssoRenew,
];

/** Admin's API. */
export function createAdmin(options: {
  deps: Deps;
  auth: Auth;
  log: Log;
  metrics: Metrics;
  trustProxy: string;
  corsOrigins: string;
}) {
  // Here a mistyped name is a change that did not happen, or a list of everybody.
  return createApi<Deps>({ ...about, routes, unknownFields: 'refuse', ...options });
}
