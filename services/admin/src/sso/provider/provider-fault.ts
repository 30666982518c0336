import * as client from 'openid-client';

/** Why a provider recognised nobody. `provider_error`: what it answered is no proof of anybody's identity. */
export type ProviderRefusal = 'access_denied' | 'provider_error' | 'provider_unavailable';

/** What the user who signs on is told about a failed exchange with a provider. */
export function refusalOf(error: unknown): ProviderRefusal {
  if (error instanceof client.AuthorizationResponseError) {
    return AUTHORIZATION_ERRORS[error.error] ?? 'provider_error';
  }
  if (error instanceof client.ClientError) {
    const isLate = error.code === 'OAUTH_TIMEOUT' || error.code === 'OAUTH_ABORT';
    const isDown = error.cause instanceof Response && error.cause.status >= 500;
    return isLate || isDown ? 'provider_unavailable' : 'provider_error';
  }
  // What `fetch` throws when there is no connection, or it broke.
  return error instanceof TypeError ? 'provider_unavailable' : 'provider_error';
}

const AUTHORIZATION_ERRORS: Partial<Record<string, ProviderRefusal>> = {
  access_denied: 'access_denied',
  server_error: 'provider_unavailable',
  temporarily_unavailable: 'provider_unavailable',
};

/** What the library says of a failure; the rest of such an error holds claims, codes and tokens. */
export function wordsOf(error: unknown): string {
  const messages: string[] = [];
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth += 1) {
    messages.push('error' in at && typeof at.error === 'string' ? `${at.message} (${at.error})` : at.message);
  }
  return messages.join(': ').slice(0, 500);
}
