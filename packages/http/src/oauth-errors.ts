import { Type } from '@gatehouse/schema';
import { ERRORS, type ApiError, type ErrorCode } from './errors.ts';

export const OAuthError = Type.Object(
  {
    error: Type.String({ examples: ['invalid_grant'] }),
    error_description: Type.String({ description: 'For developers; may change' }),
  },
  { title: 'OAuthError', description: 'An error of an OAuth endpoint (RFC 6749, section 5.2)' },
);

/** An error in the form of RFC 6749 §5.2. */
export function oauthErrorBody(error: ApiError): { error: string; error_description: string } {
  const faults = (error.facts.errors ?? []).map(({ pointer, message }) => `${pointer.slice(1)} ${message}`);
  const description = [error.message, ...faults].join('; ');
  return { error: oauthCodeOf(error.code), error_description: printable(description) };
}

export function oauthCodeOf(code: ErrorCode): string {
  if (OAUTH_CODES.has(code)) return code;
  const { status } = ERRORS[code];
  if (status === 503 || status === 429) return 'temporarily_unavailable';
  if (status === 500) return 'server_error';
  if (status === 401) return 'invalid_token';
  return 'invalid_request';
}

/** Codes that have the same name in the standards (RFC 6749, 6750, 7009, 8628 and 8707). */
const OAUTH_CODES = new Set<ErrorCode>([
  'invalid_grant',
  'invalid_scope',
  'invalid_target',
  'unauthorized_client',
  'unsupported_grant_type',
  'authorization_pending',
  'slow_down',
  'expired_token',
  'access_denied',
  'unsupported_token_type',
  'invalid_client',
  'insufficient_scope',
]);

/** Only characters that the standard allows (RFC 6749 §5.2). */
function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "'").slice(0, 500);
}
