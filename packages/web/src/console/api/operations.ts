// Written by `npm run openapi` from the schemas of the routes.

import type {
  Operations as Calls,
  ConfirmConsoleSessionRequest,
  ConsoleSession,
  ExchangeConsoleHandoverRequest,
  ExchangeSignOnCodeRequest,
  ExchangeSignOnCodeResponse,
  GetConsoleOptionsResponse,
  HandOverToConsoleResponse,
  ImportAccountsResponse,
  OpenConsoleSessionRequest,
  OpenConsoleSessionResponse,
  PasskeyChallenge,
  PingConsoleSessionResponse,
  RenewSignOnRequest,
  RenewSignOnResponse,
} from 'gatehouse-client';

/** The calls that the console makes: what they take, and what they answer. */
export interface Operations {
  'POST /person': Calls['createPerson'];
  'GET /person': Calls['listPersons'];
  'GET /person/{id}': Calls['getPerson'];
  'PUT /person/{id}': Calls['updatePerson'];
  'DELETE /person/{id}': Calls['deletePerson'];
  'POST /person/{id}/face': Calls['reportFace'];
  'PUT /person/{id}/face': Calls['reviewFaces'];
  'PUT /person/{id}/face/{faceId}': Calls['reviewFace'];
  'GET /person/{id}/{faceMatchType}': Calls['listFaces'];
  'GET /admin/user-session': Calls['listSessions'];
  'POST /admin/user-session': Calls['changeSessionStatus'];
  'GET /admin/user-session/{id}': Calls['getSession'];
  'GET /admin/session-event': Calls['listSessionEvents'];
  'GET /events.json': Calls['getEventSchemas'];
  'GET /admin/account': Calls['listAccounts'];
  'POST /admin/account': Calls['createAccount'];
  'GET /admin/account/{id}': Calls['getAccount'];
  'PATCH /admin/account/{id}': Calls['updateAccount'];
  'DELETE /admin/account/{id}': Calls['eraseAccountOf'];
  'POST /admin/account/bulk': Calls['updateAccounts'];
  'POST /admin/account/{id}/change-email': Calls['changeAccountEmail'];
  'POST /admin/account/bulk/invite': Calls['inviteAccounts'];
  'POST /admin/account/{id}/invite': Calls['inviteAccount'];
  'POST /admin/account/{id}/reset-password': Calls['startPasswordReset'];
  'DELETE /admin/account/{id}/two-factor': Calls['removeAccountTwoFactor'];
  'GET /admin/account/{id}/standing': Calls['getAccountStanding'];
  'POST /admin/account/{id}/unlock': Calls['unlockAccount'];
  'GET /admin/account/{id}/content': Calls['listAccountContent'];
  'GET /admin/account/{id}/identity': Calls['listAccountIdentities'];
  'DELETE /admin/account/{id}/identity/{number}': Calls['unlinkAccountIdentity'];
  'GET /admin/account/{id}/passkey': Calls['listAccountPasskeys'];
  'DELETE /admin/account/{id}/passkey/{passkeyId}': Calls['removeAccountPasskey'];
  'POST /admin/account/import': {
    input: {
      dryRun?: boolean;
      /** Whether hashes that take longer to check than ours are stored (`keep`, the default). With `drop` their owners choose a new password by mail (`LoginStatus` 6) */
      slowHashes?: 'keep' | 'drop';
      /** The hash parameters of a Firebase project: `<signer key>,<salt separator>,<rounds>,<memory cost>`, the first two in base64url. They are not stored */
      firebase?: string;
    };
    answer: ImportAccountsResponse;
  };
  'POST /admin/account/{id}/restore': Calls['restoreAccountOf'];
  'GET /admin/account/{id}/export': Calls['exportAccountOf'];
  'GET /admin/erasure': Calls['listErasures'];
  'GET /admin/content-definition': Calls['listContentDefinitions'];
  'POST /admin/content-definition': Calls['createContentDefinition'];
  'GET /admin/content-definition/{id}': Calls['getContentDefinition'];
  'PUT /admin/content-definition/{id}': Calls['updateContentDefinition'];
  'DELETE /admin/content-definition/{id}': Calls['deleteContentDefinition'];
  'GET /admin/content-definition/{id}/member': Calls['listContentDefinitionMembers'];
  'POST /admin/content-definition/{id}/invite': Calls['inviteUsersToContentDefinition'];
  'POST /admin/content-definition/{id}/remove': Calls['removeUsersFromContentDefinition'];
  'GET /admin/api-token': Calls['listApiTokens'];
  'POST /admin/api-token': Calls['createApiToken'];
  'GET /admin/api-token/{id}': Calls['getApiToken'];
  'DELETE /admin/api-token/{id}': Calls['revokeApiToken'];
  'POST /admin/api-token/{id}/rotate': Calls['rotateApiToken'];
  'GET /admin/oauth-client': Calls['listOAuthClients'];
  'POST /admin/oauth-client': Calls['createOAuthClient'];
  'GET /admin/oauth-client/{id}': Calls['getOAuthClient'];
  'PATCH /admin/oauth-client/{id}': Calls['updateOAuthClient'];
  'DELETE /admin/oauth-client/{id}': Calls['deleteOAuthClient'];
  'POST /admin/oauth-client/{id}/rotate': Calls['rotateOAuthClientSecret'];
  'GET /admin/oauth-client/{id}/session': Calls['listOAuthClientSessions'];
  'DELETE /admin/oauth-client/{id}/session/{sessionId}': Calls['endOAuthClientSession'];
  'GET /admin/audit': Calls['listAuditEntries'];
  'GET /admin/sign-in': Calls['listSignIns'];
  'GET /admin/mail': Calls['listMails'];
  'GET /admin/mail/{id}': Calls['getMail'];
  'POST /admin/mail/{id}/retry': Calls['retryMail'];
  'POST /admin/mail/retry': Calls['retryMails'];
  'POST /admin/mail/test': Calls['sendTestMail'];
  'GET /admin/mail-template/{kind}': Calls['getMailTemplate'];
  'GET /admin/mail-template/{kind}/page': Calls['showMailTemplate'];
  'GET /admin/webhook': Calls['listWebhooks'];
  'POST /admin/webhook': Calls['createWebhook'];
  'GET /admin/webhook/{id}': Calls['getWebhook'];
  'PATCH /admin/webhook/{id}': Calls['changeWebhook'];
  'DELETE /admin/webhook/{id}': Calls['deleteWebhook'];
  'POST /admin/webhook/{id}/rotate': Calls['rotateWebhook'];
  'POST /admin/webhook/{id}/test': Calls['testWebhook'];
  'GET /admin/hook-delivery': Calls['listHookDeliveries'];
  'GET /admin/hook-delivery/{id}': Calls['getHookDelivery'];
  'POST /admin/hook-delivery/{id}/retry': Calls['retryHookDelivery'];
  'POST /admin/hook-delivery/retry': Calls['retryHookDeliveries'];
  'GET /admin/invitation': Calls['listInvitations'];
  'GET /admin/invitation/{id}': Calls['getInvitation'];
  'DELETE /admin/invitation/{id}': Calls['deleteInvitation'];
  'POST /admin/invitation/bulk': Calls['bulkChangeInvitations'];
  'POST /admin/invitation/{id}/resend': Calls['resendInvitation'];
  'GET /admin/statistics': Calls['getStatistics'];
  'GET /admin/statistics/now': Calls['getStatisticsNow'];
  'GET /admin/system': Calls['getSystem'];
  'GET /admin/sso-provider': Calls['listSsoProviders'];
  'POST /api/auth/{provider}/exchange': {
    input: ExchangeSignOnCodeRequest & { provider: string };
    answer: ExchangeSignOnCodeResponse;
  };
  'POST /api/auth/{provider}/renew': {
    input: RenewSignOnRequest & { provider: string };
    answer: RenewSignOnResponse;
  };
  'GET /console/options': { input: object | undefined; answer: GetConsoleOptionsResponse };
  'POST /console/session': { input: OpenConsoleSessionRequest; answer: OpenConsoleSessionResponse };
  'GET /console/session': { input: object | undefined; answer: ConsoleSession };
  'DELETE /console/session': { input: object | undefined; answer: undefined };
  'POST /console/session/ping': { input: object | undefined; answer: PingConsoleSessionResponse };
  'POST /console/session/confirm': { input: ConfirmConsoleSessionRequest; answer: undefined };
  'POST /console/handover': { input: object | undefined; answer: HandOverToConsoleResponse };
  'POST /console/handover/exchange': { input: ExchangeConsoleHandoverRequest; answer: ConsoleSession };
  'POST /console/session/passkey': { input: object | undefined; answer: PasskeyChallenge };
  'POST /console/session/confirm/passkey': { input: object | undefined; answer: PasskeyChallenge };
}
