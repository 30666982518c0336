import type { OpenAccounts } from '@gatehouse/accounts';
import { originByName } from '@gatehouse/auth-core';
import type { ApiDefinition, Route } from '@gatehouse/http';
import { mailNames } from '@gatehouse/mails';
import { VERSION } from '@gatehouse/runtime';
import { consoleRoutes } from '@gatehouse/web';
import { readOrigins } from './config.ts';
import { contentRoutes, listAccountContent } from './guest/content/content.ts';
import { invitationRoutes } from './guest/invitation/invitation.ts';
import { identityRoutes } from './sso/identity/identity.ts';
import { passkeyRoutes } from './passkey/passkey.ts';
import { deleteTwoFactor } from './two-factor/delete-two-factor.ts';
import { importAccounts } from './import/import-accounts.ts';
import { tokenRoutes } from './token/token.ts';
import { clientRoutes } from './oauth/client.ts';
import { auditRoutes } from './audit/audit.ts';
import { signInRoutes } from './sign-in/sign-in.ts';
import { confirmConsoleSession, requestConsoleConfirmation } from './console/confirmation.ts';
import { exchangeConsoleHandover, postConsoleHandover } from './console/handover.ts';
import { consoleOptions, consoleSessionRoutes, requestConsolePasskey } from './console/session.ts';
import { settings } from './config.ts';
import type { Deps } from './deps.ts';
import { erasureRoutes } from './erasure/erasure.ts';
import { eventSchemas } from './event/event-schemas.ts';
import { mailRoutes, openMailWriter, type MailWriterSettings } from './mail/mail.ts';
import { changeSessionStatus } from './session/bulk.ts';
import { listSessionEvents, sessionRoutes } from './session/session.ts';
import { effectiveSettings } from './system/effective-settings.ts';
import { getSystem } from './system/system.ts';
import { statisticsRoutes } from './statistics/statistics.ts';
import { createTotals } from './statistics/totals.ts';
import { backchannelLogout } from './sso/logout/backchannel-logout.ts';
import { ssoCallback, ssoPostedCallback } from './sso/attempt/callback.ts';
import { listSsoProviders } from './sso/provider/list-sso-providers.ts';
import { ssoLogin } from './sso/attempt/login.ts';
import { ssoExchange, ssoRenew } from './sso/exchange/exchange.ts';
import { openSso } from './sso/sso.ts';
import { hookDeliveryRoutes } from './webhook/hook-delivery.ts';
import { openWebhooks, type WebhookSettings } from './open-webhooks.ts';
import { webhookRoutes } from './webhook/webhook.ts';
import { getAccount, listAccounts, standingRoutes } from './account/account.ts';
import { inviteAccounts, updateAccounts } from './account/bulk.ts';
import { createAccount, updateAccount } from './account/change.ts';
import { changeEmail, inviteAccount, resetPassword } from './account/owner.ts';

const accountRoutes = [
  ...[listAccounts, getAccount, createAccount, updateAccount, updateAccounts],
  ...[changeEmail, inviteAccounts, inviteAccount, resetPassword],
];

export const about = {
  title: 'Gatehouse Admin API',
  version: VERSION,
  description:
    'Administration of accounts, sessions, content, invitations, emails and API tokens, and single sign-on.',
  cookies: ['console'],
  tags: {
    Accounts: 'Accounts of all users: creation, import, changes and recovery',
    Sessions: 'Sessions of all users: search, history and status changes',
    'Sign-ins': 'Who signed in, who was refused and why',
    Invitations: 'Pending invitations of guests',
    Content: 'Content definitions: what can be watched and shared',
    Mails: 'Sent and undelivered emails',
    Audit: 'Who did what, to whom and when',
    Statistics: 'Activity by hour, and current totals',
    System: 'The state of this installation',
    Applications: 'Applications that sign people in through Gatehouse (OpenID Connect)',
    'API tokens': 'Static tokens for services that call the API',
    'Single sign-on': 'Login with an identity provider (OpenID Connect)',
    Events: 'Events that Gatehouse publishes to other systems',
    Webhooks: 'Events that are posted to other systems',
    Console: 'The session of the console in a browser',
  },
} as const;

export const routes: Route<Deps>[] = [
  ...sessionRoutes,
  changeSessionStatus,
  listSessionEvents,
  eventSchemas,
  ...accountRoutes,
  deleteTwoFactor,
  ...standingRoutes,
  listAccountContent,
  ...identityRoutes,
  ...passkeyRoutes,
  importAccounts,
  ...erasureRoutes,
  ...contentRoutes,
  ...tokenRoutes,
  ...clientRoutes,
  ...auditRoutes,
  ...signInRoutes,
  ...mailRoutes,
  ...webhookRoutes,
  ...hookDeliveryRoutes,
  ...invitationRoutes,
  ...statisticsRoutes,
  getSystem,
  listSsoProviders,
  ssoLogin,
  ssoCallback,
  ssoPostedCallback,
  backchannelLogout,
  ssoExchange,
  ssoRenew,
  consoleOptions,
  ...consoleSessionRoutes,
  confirmConsoleSession,
  postConsoleHandover,
  exchangeConsoleHandover,
  requestConsolePasskey,
  requestConsoleConfirmation,
];

export function adminApi(
  { auth, ...accounts }: OpenAccounts,
  config: Parameters<typeof openSso>[0]['settings'] &
    MailWriterSettings &
    WebhookSettings & { readonly FACE_IMAGE_ORIGINS?: string; readonly AUDIENCE: string },
): ApiDefinition<Deps> {
  const { now, log } = accounts;
  const deps = {
    ...accounts,
    authenticate: auth.authenticate,
    publicUrl: config.PUBLIC_URL ?? config.ISSUER,
    audience: config.AUDIENCE,
    totals: createTotals(accounts),
    writeMail: openMailWriter(config),
    effectiveSettings: effectiveSettings(settings, { ...config }),
    ...openWebhooks(config),
    sso: openSso({ settings: config, now, log }),
  };
  const consoleUrl = config.ADMIN_URL === undefined ? undefined : originByName(config.ADMIN_URL);
  const faceImageOrigins = readOrigins(config.FACE_IMAGE_ORIGINS ?? '');
  return {
    ...about,
    routes,
    pages: consoleRoutes({ faceImageOrigins, mailNames, consoleUrl }),
    // A mistyped name must not mean a change that silently did not happen, or an unfiltered list.
    unknownFields: 'refuse',
    deps,
    auth,
  };
}
