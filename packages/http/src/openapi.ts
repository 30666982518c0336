import { describeNumbers, type TObject, type TSchema } from '@gatehouse/schema';
import { ERRORS, type ErrorCode } from './errors.ts';
import { goodStatus, hasNoBody, textType, type Route } from './route.ts';

/** What a document is made of. */
export interface Described {
  title: string;
  version: string;
  routes: readonly Route<never>[];
}

/** An OpenAPI 3.1 document, as far as we write it. */
export interface OpenApi {
  openapi: '3.1.0';
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
  components: object;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security: object[];
  parameters?: { name: string; in: string; required: boolean; description?: string; schema: object }[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { description: string; content?: Content }>;
}

export type Content = Record<string, { schema: TSchema | { $ref: string } }>;

/** Describes an API by the same schemas that check its requests and answers. */
export function openapi({ title, version, routes }: Described): OpenApi {
  const paths: OpenApi['paths'] = {};
  for (const route of routes) {
    if (route.undocumented === true) continue;
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title, version },
    paths: withPlainKeywords(paths),
    components: {
      schemas: { Problem: PROBLEM },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  };
}

/** Our own keyword for numbered sets, in the words of JSON Schema. */
function withPlainKeywords(paths: OpenApi['paths']): OpenApi['paths'] {
  const text = JSON.stringify(paths, (name, value: unknown) => {
    const set = (value as { numberOf?: Record<string, number> } | null)?.numberOf;
    if (set === undefined || name === 'properties') return value;
    const { numberOf: _, description, ...rest } = value as Record<string, unknown>;
    return {
      anyOf: [
        { type: 'integer', enum: Object.values(set) },
        { type: 'string', enum: Object.keys(set) },
      ],
      description: [description, describeNumbers(set)].filter(Boolean).join(': '),
      ...rest,
    };
  });
  return JSON.parse(text) as OpenApi['paths'];
}

function operation(route: Route<never>): Operation {
  const { method, path, summary, description, access, body } = route;
  const words = path.split(/\W+/).filter((word) => word !== '');
  const parameters = [...fields(route.params, 'path'), ...fields(route.query, 'query')];
  const roles = typeof access === 'string' ? '' : `For the role ${access.join(' or ')} alone.`;
  const text = [description, roles].filter((part) => part).join('\n\n');
  return {
    operationId: [method, ...words].map((word, at) => (at === 0 ? word : capitalized(word))).join(''),
    tags: [words[0] ?? 'root'],
    summary,
    ...(text === '' ? {} : { description: text }),
    security: access === 'public' ? [] : [{ bearer: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body ? { requestBody: { required: isNeeded(body), content: json(body) } } : {}),
    ...(route.ndjson ? { requestBody: { required: true, content: lines(route.ndjson) } } : {}),
    responses: { ...answers(route), ...refusals(route) },
  };
}

function fields(schema: TObject | undefined, place: 'path' | 'query') {
  return Object.entries<TSchema>(schema?.properties ?? {}).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || isRequired(schema, name),
    schema: field,
  }));
}

function isRequired(schema: TSchema | undefined, name: string): boolean {
  const required: unknown = schema === undefined ? undefined : Reflect.get(schema, 'required');
  return Array.isArray(required) && required.includes(name);
}

/** An empty body reads as `{}`, so that one is needed only where a field is. */
function isNeeded(body: TSchema): boolean {
  return ((body as { required?: string[] }).required ?? []).length > 0;
}

function answers(route: Route<never>): Operation['responses'] {
  const good = goodStatus(route);
  const stated: [number, string][] = [
    [good, 'Done'],
    ...Object.entries(route.otherStatuses ?? {}).map(([status, when]): [number, string] => [
      Number(status),
      when,
    ]),
  ];
  return Object.fromEntries(
    stated.map(([status, description]) => [
      String(status),
      {
        description,
        ...(route.response && !hasNoBody(status) ? { content: content(route.response, route) } : {}),
      },
    ]),
  );
}

/** Strings are text and all else is JSON; a union may be both. */
function content(response: TSchema, route: Route<never>): Content {
  const kinds = (response as { anyOf?: TSchema[] }).anyOf ?? [response];
  const isText = (schema: TSchema): boolean => (schema as { type?: unknown }).type === 'string';
  const text = kinds.find(isText);
  const other = text === undefined ? response : kinds.find((kind) => !isText(kind));
  return { ...(text ? { [textType(route)]: { schema: text } } : {}), ...(other ? json(other) : {}) };
}

/** The refusals that a route's own description implies, and those that it names. */
function refusals(route: Route<never>): Operation['responses'] {
  const { access } = route;
  const codes: ErrorCode[] = [...(route.errors ?? []), 'too_many_requests', 'internal_error', 'unavailable'];
  if (route.body ?? route.query ?? route.params) codes.push('invalid_request');
  if (route.body) codes.push('payload_too_large');
  if (route.body ?? route.ndjson) codes.push('unsupported_media_type', 'request_timeout');
  if (access !== 'public') codes.push('token_missing', 'token_invalid', 'token_expired');
  if (access !== 'public' && access !== 'token') codes.push(...SESSION_CODES);
  if (typeof access !== 'string' || access === 'session') codes.push('forbidden');
  const byStatus: Record<string, ErrorCode[]> = {};
  for (const code of new Set(codes)) (byStatus[ERRORS[code].status] ??= []).push(code);
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, found]) => [
      status,
      {
        description: found.map((code) => `\`${code}\`: ${ERRORS[code].title}.`).join('\n\n'),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  );
}

const SESSION_CODES = [
  'session_replaced',
  'session_deactivated',
  'session_expired',
  'session_ended',
  'invite_deleted',
] as const;

const PROBLEM = {
  type: 'object',
  description: 'What went wrong (RFC 9457). Decide by `code`, which is stable.',
  required: ['type', 'title', 'status', 'detail', 'code', 'traceId'],
  properties: {
    type: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', enum: Object.keys(ERRORS) },
    traceId: { type: 'string', description: 'Names the request in our logs' },
    errors: {
      type: 'array',
      description:
        'The fields at fault. A pointer (RFC 6901) leads into the body, or begins with /query or /path.',
      items: {
        type: 'object',
        required: ['pointer', 'message'],
        properties: { pointer: { type: 'string' }, message: { type: 'string' } },
      },
    },
    LoginStatus: { type: 'integer', description: "The account's condition, where that is the reason" },
  },
};

function json(schema: TSchema): Content {
  return { 'application/json': { schema } };
}

/** Each line is one value of the schema. */
function lines(schema: TSchema): Content {
  return { 'application/x-ndjson': { schema } };
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
