/** The scopes that mean something here; an application may have scopes of its own for its resources. */
export const OAUTH_SCOPES = ['openid', 'profile', 'email', 'offline_access', 'groups'] as const;

export const OAUTH_GRANT_TYPES = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:device_code',
] as const;

/** The grant of a device without a browser (RFC 8628). */
export const DEVICE_GRANT = OAUTH_GRANT_TYPES[3];

export function signsPeopleIn(grantTypes: readonly string[]): boolean {
  return grantTypes.includes('authorization_code') || grantTypes.includes(DEVICE_GRANT);
}

/** Signatures of ID tokens. Many applications know RS256 alone. */
export const ID_TOKEN_ALGS = ['RS256', 'ES256'] as const;

/** Whether any program on the user's device may receive what is sent there: to the loopback address, or a private scheme. */
export function isOnDevice(redirectUri: string): boolean {
  return !redirectUri.startsWith('https:');
}
