import { compile, Type, type Check, type TObject, type TProperties } from '@gatehouse/schema';
import { EVENT_STREAM, FORM, mediaTypeOf, textTypeOf } from '../media-type.ts';
import { STANDING_HEADERS, withHeaders, type HeaderList } from '../request/headers.ts';
import { successStatus, successStatuses, type Route, type RouteRules } from '../route.ts';

/** A route with everything that can be computed before the first request. */
export interface Prepared<Deps> {
  route: Route<Deps>;
  rules: RouteRules;
  /** The media type of the body, unless it is JSON. */
  bodyType: string | undefined;
  checkBody: Check | undefined;
  checkParams: Check | undefined;
  checkQuery: Check;
  checkAnswer: Check | undefined;
  isStream: boolean;
  status: number;
  statuses: Readonly<Record<number, string>>;
  jsonHeaders: HeaderList;
  textHeaders: HeaderList;
  emptyHeaders: HeaderList;
}

export type UnknownFields = 'drop' | 'refuse';

/** @throws {Error} for a route without `access`, or whose path and parameters do not match. */
export function prepare<Deps>(route: Route<Deps>, unknownFields: UnknownFields): Prepared<Deps> {
  checkRoute(route);
  const bodyType = mediaTypeOf(route.body);
  const standing = withHeaders(STANDING_HEADERS, route.headers?.fixed ?? {});
  return {
    route,
    rules: route.rules ?? {},
    bodyType,
    // Protocols that use forms require ignoring unknown fields.
    checkBody:
      route.body && compile(route.body, { unknownFields: bodyType === FORM ? 'drop' : unknownFields }),
    checkParams: route.params && compile(route.params, { unknownFields: 'refuse', coerce: true }),
    checkQuery: queryCheck(route),
    checkAnswer: route.response && compile(route.response, { unknownFields: 'refuse' }),
    isStream: mediaTypeOf(route.response) === EVENT_STREAM,
    status: successStatus(route),
    statuses: successStatuses(route),
    jsonHeaders: [...standing, 'Content-Type', 'application/json'],
    textHeaders: [...standing, 'Content-Type', textTypeOf(route.response)],
    emptyHeaders: standing,
  };
}

/** The parameters of a query in which others are ignored. */
export function openQuery<P extends TProperties>(parameters: P): TObject<P> {
  return Type.Object(parameters, { additionalProperties: true });
}

/**
 * Unknown parameters are refused by default: ignoring one could return something other than what the client requested. A
 * public document without parameters is the same for everybody, and some clients add one to get past caches.
 */
function queryCheck({ method, access, query = NOTHING }: Route<never>): Check {
  const isDocument = method === 'get' && access === 'public' && query === NOTHING;
  const { additionalProperties: isOpen = isDocument } = query as { additionalProperties?: boolean };
  return compile(query, { unknownFields: isOpen ? 'drop' : 'refuse', coerce: true });
}

const NOTHING = Type.Object({});

const NAMED_ACCESS = new Set<unknown>(['public', 'token', 'bearer', 'session', 'admin session']);

/** The types require the same, but code that bypasses them must not open an endpoint to everyone. */
function checkRoute(route: Route<never>): void {
  const name = `${route.method.toUpperCase()} ${route.path}`;
  const access: unknown = route.access;
  const isRoles = Array.isArray(access) && access.length > 0;
  if (!isRoles && !NAMED_ACCESS.has(access)) throw new Error(`${name} does not say who may call it`);
  const inPath = new Set([...route.path.matchAll(/:(\w+)/g)].map((found) => found[1]));
  const inSchema = Object.keys(route.params?.properties ?? {});
  if (inPath.size !== inSchema.length || !inSchema.every((parameter) => inPath.has(parameter)))
    throw new Error(`${name}: the path and the schema of its parameters disagree`);
}
