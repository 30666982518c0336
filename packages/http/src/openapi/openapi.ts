import { type BrowserPurpose, browserSiteOf } from '@gatehouse/auth-core';
import { exampleOf, type TObject, type TSchema } from '@gatehouse/schema';
import { Components, type Answer, type Content, type Reference } from './openapi-components.ts';
import { refusals, SHARED_HEADERS, described, responsesOf } from './openapi-responses.ts';
import { mediaTypeOf, NDJSON } from '../media-type.ts';
import type { Route } from '../route.ts';

export interface Described {
  title: string;
  version: string;
  description?: string;
  /** The subject of each `tag`. */
  tags?: Readonly<Record<string, string>>;
  /** The purposes of cookies that are accepted in place of a token. */
  cookies?: readonly BrowserPurpose[];
  routes: readonly Route<never>[];
}

/** An OpenAPI 3.1 document, limited to the parts that are written here. */
export interface OpenApi {
  openapi: '3.1.0';
  info: {
    title: string;
    version: string;
    description: string;
    contact: { name: string };
    license: { name: string; identifier: string };
  };
  servers: Server[];
  tags: { name: string; description?: string; 'x-displayName'?: string }[];
  /** Groups the tags for readers (an extension that reference pages support). */
  'x-tagGroups'?: { name: string; tags: string[] }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, { post: Omit<Operation, 'parameters'> & { parameters: Reference[] } }>;
  components: {
    schemas: Record<string, object>;
    responses: Record<string, Answer>;
    headers: object;
    parameters?: Record<string, Parameter>;
    securitySchemes: object;
  };
}

interface Server {
  url: string;
  description: string;
  variables?: Record<string, { default: string; description: string }>;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: object[];
  /** The server, if it differs from that of the document. */
  servers?: Server[];
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Content };
  /** An answer, or for errors a reference to it, because operations share them. */
  responses: Record<string, Partial<Answer & Reference>>;
}

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: object;
  example?: unknown;
}

/** Describes an API by the same schemas that validate its requests and responses. */
export function openapi(api: Described): OpenApi {
  const { title, version, description = title, tags = {}, cookies = [], routes } = api;
  const components = new Components();
  const paths: OpenApi['paths'] = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method]: operation(route, { components, cookies }) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title,
      version,
      description,
      contact: { name: 'The operator of this installation' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The host that serves this document' }],
    tags: inOrder([...new Set(routes.map(tagOf))], Object.keys(tags)).map((name) => ({
      name,
      ...(tags[name] !== undefined && { description: tags[name] }),
    })),
    paths,
    components: {
      schemas: components.schemas,
      responses: components.responses,
      headers: SHARED_HEADERS,
      securitySchemes: securitySchemes(cookies),
    },
  };
}

/** The tags in the order in which they are described; others follow by name. */
function inOrder(names: readonly string[], first: readonly string[]): string[] {
  const rest = names.filter((name) => !first.includes(name)).toSorted();
  return [...first.filter((name) => names.includes(name)), ...rest];
}

export function operationIdOf({ operationId, method, path }: Route<never>): string {
  return operationId ?? [method, ...wordsOf(path).map(capitalized)].join('');
}

function tagOf({ tag, path }: Route<never>): string {
  return tag ?? wordsOf(path)[0] ?? 'root';
}

function wordsOf(path: string): string[] {
  return path.split(/\W+/).filter((word) => word !== '');
}

function operation(
  route: Route<never>,
  { components, cookies }: { components: Components; cookies: readonly BrowserPurpose[] },
): Operation {
  const operationId = operationIdOf(route);
  const name = capitalized(operationId);
  const parameters = [
    ...fields(route.params, 'path'),
    ...fields(route.query, 'query'),
    ...headerParameters(route.headers?.request),
  ];
  const { summary, description, access, body } = route;
  const bodyType = mediaTypeOf(body) ?? 'application/json';
  const isLines = bodyType === NDJSON;
  return {
    operationId,
    tags: [tagOf(route)],
    summary,
    description: [description, whoMayCall(access)].filter(Boolean).join('\n\n'),
    security: securityOf(access, cookies),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: isLines || isNeeded(body),
        content: {
          [bodyType]: described(body, { name: `${name}${isLines ? 'Line' : 'Request'}`, components }),
        },
      },
    }),
    responses: {
      ...responsesOf(route, { name: `${name}Response`, components }),
      ...refusals(route, components),
    },
  };
}

function whoMayCall(access: Route<never>['access']): string {
  switch (access) {
    case 'public':
      return 'No authentication required.';
    case 'token':
      return 'Requires a valid, unexpired access token. The session may have ended.';
    case 'bearer':
      return 'Requires the access token of an active session, or a static API token with a role other than Feed.';
    case 'session':
      return 'Requires the access token of an active session.';
    case 'admin session':
      return 'Requires the access token of an administrator’s active session.';
    default:
      return `Requires the role ${access.join(', ').replace(/, (?=\w+$)/, ' or ')}.`;
  }
}

function fields(schema: TObject | undefined, place: 'path' | 'query'): Parameter[] {
  return Object.entries<TSchema>(schema?.properties ?? {}).map(([name, field]) => {
    const { description, ...rest } = Components.plain(field) as { description?: string };
    return {
      name,
      in: place,
      // A field with a default may be omitted.
      required: place === 'path' || (isRequired(schema, name) && !('default' in field)),
      ...(description !== undefined && { description }),
      schema: rest,
      ...(place === 'path' && { example: exampleOf(field, name) }),
    };
  });
}

function headerParameters(meanings: Readonly<Record<string, string>> = {}): Parameter[] {
  return Object.entries(meanings).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  }));
}

function isRequired(schema: TSchema | undefined, name: string): boolean {
  const required: unknown = schema === undefined ? undefined : Reflect.get(schema, 'required');
  return Array.isArray(required) && required.includes(name);
}

/** An empty body counts as `{}`, so a body is required only if one of its fields is. */
function isNeeded(body: TSchema): boolean {
  const { required = [], oneOfFields } = body as { required?: string[]; oneOfFields?: unknown };
  return required.length > 0 || oneOfFields !== undefined;
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function securitySchemes(cookies: readonly BrowserPurpose[]): object {
  return {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: 'An access token or a static API token.',
    },
    ...Object.fromEntries(
      cookies.map((purpose) => [
        SCHEMES[purpose].name,
        {
          type: 'apiKey',
          in: 'cookie',
          name: browserSiteOf(purpose, 'https://gatehouse.invalid')?.cookieName,
          description: SCHEMES[purpose].description,
        },
      ]),
    ),
  };
}

function securityOf(access: Route<never>['access'], cookies: readonly BrowserPurpose[]): object[] {
  if (access === 'public') return [];
  // The cookie of the account pages gives no administrator rights.
  const isForUsers = typeof access === 'string' || access.some((role) => role === 'User' || role === 'Guest');
  const taken = cookies.filter((purpose) => purpose !== 'pages' || isForUsers);
  return [{ bearer: [] }, ...taken.map((purpose) => ({ [SCHEMES[purpose].name]: [] }))];
}

const SAME_ORIGIN =
  'It is accepted only in requests from pages of its own origin, and without an `Authorization` header. On loopback ' +
  'addresses without TLS it has a different name.';

const SCHEMES: Record<BrowserPurpose, { name: string; description: string }> = {
  pages: {
    name: 'pagesCookie',
    description: `The session of the account pages (\`PUBLIC_URL\`). ${SAME_ORIGIN}`,
  },
  console: {
    name: 'consoleCookie',
    description: `The session of the admin console (\`ADMIN_URL\`). ${SAME_ORIGIN}`,
  },
};
