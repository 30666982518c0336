import * as client from 'openid-client';

/** Why a provider identified nobody. `provider_error`: its response does not prove anybody's identity. */
export type ProviderRefusal = 'access_denied' | 'provider_error' | 'provider_unavailable';

/** The error code that the user sees after a failed exchange with a provider. */
export function refusalOf(error: unknown): ProviderRefusal {
  if (error instanceof client.AuthorizationResponseError)
    return AUTHORIZATION_ERRORS[error.error] ?? 'provider_error';
  if (error instanceof client.ClientError) {
    const isLate = error.code === 'OAUTH_TIMEOUT' || error.code === 'OAUTH_ABORT';
    const isDown = error.cause instanceof Response && error.cause.status >= 500;
    return isLate || isDown ? 'provider_unavailable' : 'provider_error';
  }
  // `fetch` throws a TypeError if there is no connection, or if it breaks.
  return error instanceof TypeError ? 'provider_unavailable' : 'provider_error';
}

const AUTHORIZATION_ERRORS: Partial<Record<string, ProviderRefusal>> = {
  access_denied: 'access_denied',
  server_error: 'provider_unavailable',
  temporarily_unavailable: 'provider_unavailable',
};

/** The messages of an error of the library. Its other fields contain claims, codes and tokens. */
export function messagesOf(error: unknown): string {
  const messages: string[] = [];
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth += 1) {
    messages.push('error' in at && typeof at.error === 'string' ? `${at.message} (${at.error})` : at.message);
  }
  return messages.join(': ').slice(0, 500);
}
