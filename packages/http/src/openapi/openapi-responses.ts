import { exampleOf, type TSchema } from '@gatehouse/schema';
import { successStatuses, hasNoBody, type Route } from '../route.ts';
import { PROBLEM_REF } from './openapi-components.ts';
import type { Answer, Content, Named, Components, Reference } from './openapi-components.ts';
import { ERRORS, OAuthError, oauthCodeOf, SESSION_REFUSALS, type ErrorCode } from '../errors.ts';
import { EVENT_STREAM, mediaTypeOf, NDJSON, textTypeOf } from '../media-type.ts';

export function responsesOf(route: Route<never>, named: Named): Record<string, Answer> {
  const headers = headersOf({ ...route.headers?.response, ...cachingOf(route) });
  return Object.fromEntries(
    Object.entries(successStatuses(route)).map(([status, description]) => [
      status,
      {
        description,
        headers,
        ...(route.response && !hasNoBody(Number(status)) ? { content: content(route.response, named) } : {}),
      },
    ]),
  );
}

/** Strings are sent as text, everything else as JSON; a union may contain both. */
function content(response: TSchema, named: Named): Content {
  const kinds = (response as { anyOf?: TSchema[] }).anyOf ?? [response];
  const isText = (schema: TSchema): boolean => (schema as { type?: unknown }).type === 'string';
  const text = kinds.find(isText);
  const other = text === undefined ? response : kinds.find((kind) => !isText(kind));
  return {
    ...(text ? { [textTypeOf(response)]: { schema: text } } : {}),
    ...(other ? { 'application/json': described(other, named) } : {}),
  };
}

export function described(schema: TSchema, { name, components }: Named): Content[string] {
  return { schema: components.refer(schema, name), example: exampleOf(schema) };
}

function cachingOf({ headers }: Route<never>): Record<string, string> {
  const caching = headers?.fixed?.['Cache-Control'];
  return caching === undefined ? {} : { 'Cache-Control': `Always \`${caching}\`` };
}

/** The errors that a route’s declaration implies, those that it lists, and any other. */
export function refusals(route: Route<never>, components: Components): Record<string, Reference> {
  const byStatus: Record<string, ErrorCode[]> = {};
  const codes = new Set(refusalCodes(route));
  // In one order, so that routes with the same errors share a response.
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    if (codes.has(code)) (byStatus[ERRORS[code].status] ??= []).push(code);
  }
  const form = route.rules?.errors === 'oauth' ? oauthForm(components) : PROBLEM_FORM;
  const answers = Object.entries(byStatus).map(([status, found]) => {
    const description = found.map((code) => `\`${form.codeOf(code)}\`: ${ERRORS[code].title}.`).join('\n\n');
    return [
      status,
      components.share(form.prefix + nameOf(found), errorAnswer(form, description, STATUS_HEADERS[status])),
    ] as const;
  });
  return {
    ...Object.fromEntries(answers),
    default: components.share(`${form.prefix}other`, errorAnswer(form, 'Any other error.')),
  };
}

interface ErrorForm {
  prefix: string;
  mediaType: string;
  schema: TSchema | Reference;
  codeOf: (code: ErrorCode) => string;
}

const PROBLEM_FORM: ErrorForm = {
  prefix: '',
  mediaType: 'application/problem+json',
  schema: { $ref: PROBLEM_REF },
  codeOf: (code) => code,
};

function oauthForm(components: Components): ErrorForm {
  const schema = components.refer(OAuthError, 'OAuthError');
  return { prefix: 'oauth-', mediaType: 'application/json', schema, codeOf: oauthCodeOf };
}

function refusalCodes(route: Route<never>): ErrorCode[] {
  const { access } = route;
  // Every route refuses unknown parameters and malformed headers.
  const codes: ErrorCode[] = ['invalid_request', 'headers_too_large', 'internal_error', 'unavailable'];
  codes.push(...(route.errors ?? []));
  if (route.body) {
    codes.push('unsupported_media_type', 'request_timeout');
    codes.push(mediaTypeOf(route.body) === NDJSON ? 'not_ndjson' : 'payload_too_large');
  }
  if (access !== 'public') codes.push(...TOKEN_REFUSALS, 'cross_site', 'forbidden');
  if (access !== 'public' && access !== 'token') codes.push(...SESSION_REFUSALS);
  if (mediaTypeOf(route.response) === EVENT_STREAM || route.rules?.isDownload)
    codes.push('too_many_requests');
  if (route.recent === true || route.recent === 'session') codes.push('confirmation_required');
  return codes;
}

const TOKEN_REFUSALS = ['token_missing', 'token_invalid', 'token_expired'] as const;

function nameOf(codes: readonly ErrorCode[]): string {
  return codes
    .join('-')
    .replace(TOKEN_REFUSALS.join('-'), 'token')
    .replace(SESSION_REFUSALS.join('-'), 'session');
}

type SharedHeader = keyof typeof SHARED_HEADERS;

const STATUS_HEADERS: Record<string, readonly SharedHeader[]> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

function errorAnswer(
  { mediaType, schema }: ErrorForm,
  description: string,
  shared: readonly SharedHeader[] = [],
): Answer {
  return { description, headers: headersOf({}, shared), content: { [mediaType]: { schema } } };
}

/** The headers of a response: its own, by their meaning, those that some share, and that of every response. */
function headersOf(own: Readonly<Record<string, string>>, shared: readonly SharedHeader[] = []) {
  const schema = { type: 'string' } as const;
  return Object.fromEntries<{ description: string; schema: { type: 'string' } } | { $ref: string }>([
    ...Object.entries(own).map(([name, description]) => [name, { description, schema }] as const),
    ...[...shared, 'X-Trace-Id'].map((name) => [name, { $ref: `#/components/headers/${name}` }] as const),
  ]);
}

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
