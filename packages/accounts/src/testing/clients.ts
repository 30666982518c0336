import { oauthClients, type OAuthClient, type OAuthClientFields } from '@gatehouse/db';
import { insertRow } from '@gatehouse/db/testing';
import { v7 as newId } from 'uuid';
import type { TestAccounts } from './open-test-accounts.ts';

export const REDIRECT_URI = 'https://app.example/callback?kept=1';

/** A client that is confidential and trusted, and may ask for everything; a public one has an empty secret. */
export async function newClient(
  app: Pick<TestAccounts, 'db' | 'clientSecrets'>,
  overrides: Partial<OAuthClientFields> = {},
): Promise<OAuthClient & { secret: string }> {
  const { secret, hash } = app.clientSecrets.issue();
  const fields = { ...CLIENT, ...overrides };
  const row = { ...fields, id: newId(), secretHash: fields.isPublic ? null : hash };
  await insertRow(app.db, 'oauth_client', row);
  const client = await oauthClients.find(app.db, row.id);
  if (client === undefined) throw new Error('a new client was not found');
  return { ...client, secret: fields.isPublic ? '' : secret };
}

const CLIENT: OAuthClientFields = {
  name: 'The dashboard',
  isPublic: false,
  redirectUris: [REDIRECT_URI],
  postLogoutRedirectUris: [],
  backchannelLogoutUri: null,
  scopes: ['openid', 'profile', 'email', 'offline_access', 'groups'],
  grantTypes: ['authorization_code', 'refresh_token'],
  isTrusted: true,
  roles: ['User', 'Admin'],
  groups: [],
  requiresPkce: true,
  requiresNonce: true,
  anyLocalhostPort: false,
  idTokenAlg: 'RS256',
  sessionTag: null,
  resources: [],
  grants: 'session',
  grantMaxSeconds: null,
  isDeclared: false,
  documentUrl: null,
};
