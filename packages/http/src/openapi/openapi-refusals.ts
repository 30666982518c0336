import { ERRORS, SESSION_REFUSALS, type ErrorCode } from '../errors.ts';
import { PROBLEM_REF, type Answer } from './openapi-components.ts';
import type { Route } from '../route.ts';

/** The errors that a route’s declaration implies, and those that it lists. */
export function refusals(route: Route<never>): Record<string, Answer> {
  const byStatus: Record<string, ErrorCode[]> = {};
  for (const code of new Set(refusalCodes(route))) (byStatus[ERRORS[code].status] ??= []).push(code);
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, found]) => [
      status,
      problemAnswer(
        found.map((code) => `\`${code}\`: ${ERRORS[code].title}.`).join('\n\n'),
        STATUS_HEADERS[status],
      ),
    ]),
  );
}

function refusalCodes(route: Route<never>): ErrorCode[] {
  const { access } = route;
  // Every route refuses unknown parameters and malformed headers.
  const codes: ErrorCode[] = [
    'invalid_request',
    'headers_too_large',
    ...(route.errors ?? []),
    'internal_error',
    'unavailable',
  ];
  if (route.body) codes.push('payload_too_large');
  if (route.body ?? route.ndjson) codes.push('unsupported_media_type', 'request_timeout');
  if (route.ndjson) codes.push('not_ndjson');
  if (access !== 'public') {
    codes.push('token_missing', 'token_invalid', 'token_expired', 'cross_site', 'forbidden');
  }
  if (access !== 'public' && access !== 'token') codes.push(...SESSION_REFUSALS);
  if (route.stream ?? route.download) codes.push('too_many_requests');
  if (route.recent === true) codes.push('confirmation_required');
  return codes;
}

const RETRY_AFTER = { 'Retry-After': 'Seconds to wait before retrying' };

const STATUS_HEADERS: Record<string, Record<string, string>> = {
  401: { 'WWW-Authenticate': 'The authentication scheme (RFC 6750)' },
  429: RETRY_AFTER,
  503: RETRY_AFTER,
};

export function problemAnswer(description: string, headers: Record<string, string> = {}): Answer {
  return {
    description,
    headers: headersOf(headers),
    content: { 'application/problem+json': { schema: { $ref: PROBLEM_REF } } },
  };
}

/** The headers of a response: those described here, and those that every response has. */
export function headersOf(meanings: Readonly<Record<string, string>>): NonNullable<Answer['headers']> {
  const own = Object.entries(meanings).map(([name, description]) =>
    name in SHARED_HEADERS
      ? [name, { $ref: `#/components/headers/${name}` }]
      : [name, { description, schema: { type: 'string' } }],
  );
  return Object.fromEntries([
    ...own,
    ['X-Trace-Id', { $ref: '#/components/headers/X-Trace-Id' }],
  ]) as NonNullable<Answer['headers']>; // just made so
}

/** Headers that have the same meaning in every response. */
export const SHARED_HEADERS = {
  'Retry-After': {
    required: true,
    description: 'Seconds to wait before retrying',
    schema: { type: 'integer', minimum: 1 },
    example: 2,
  },
  'WWW-Authenticate': {
    required: true,
    description: 'The authentication scheme and the error of the token (RFC 6750)',
    schema: { type: 'string' },
    example: 'Bearer realm="gatehouse"',
  },
  'X-Trace-Id': {
    required: true,
    description:
      'The trace ID of the request, as in the logs: that of its `traceparent` header (W3C Trace Context), or a new one',
    schema: { type: 'string', pattern: /^[0-9a-f]{32}$/.source },
    example: '4bf92f3577b34da6a3ce929d0e0e4736',
  },
};
