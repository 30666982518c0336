import { compile, type Check, type TSchema } from '@gatehouse/schema';
import { STANDING_HEADERS, withHeaders, type HeaderList } from './headers.ts';
import { goodStatus, textType, type Route } from './route.ts';

/** A route with all that can be made of it before the first request. */
export interface Prepared<Deps> {
  route: Route<Deps>;
  checkBody: Check | undefined;
  checkLine: Check | undefined;
  checkParams: Check | undefined;
  checkQuery: Check | undefined;
  checkAnswer: Check | undefined;
  /** The status of a plain result. */
  status: number;
  jsonHeaders: HeaderList;
  textHeaders: HeaderList;
  emptyHeaders: HeaderList;
}

/** @throws {Error} for a route that does not say who may call it, or whose path and parameters disagree. */
export function prepare<Deps>(route: Route<Deps>): Prepared<Deps> {
  checkRoute(route);
  const standing = withHeaders(STANDING_HEADERS, route.headers ?? {});
  return {
    route,
    checkBody: inputCheck(route.body, false),
    checkLine: inputCheck(route.ndjson, false),
    checkParams: inputCheck(route.params, true),
    checkQuery: inputCheck(route.query, true),
    checkAnswer: route.response && compile(route.response, { unknownFields: 'refuse' }),
    status: goodStatus(route),
    jsonHeaders: [...standing, 'Content-Type', 'application/json'],
    textHeaders: [...standing, 'Content-Type', textType(route)],
    emptyHeaders: standing,
  };
}

function inputCheck(schema: TSchema | undefined, coerce: boolean): Check | undefined {
  return schema && compile(schema, { unknownFields: 'drop', coerce });
}

const NAMED_ACCESS = new Set<unknown>(['public', 'token', 'bearer', 'session']);

/** The types say the same, but whoever evades them must not open an endpoint to everyone. */
function checkRoute(route: Route<never>): void {
  const name = `${route.method.toUpperCase()} ${route.path}`;
  const access: unknown = route.access;
  const isRoles = Array.isArray(access) && access.length > 0;
  if (!isRoles && !NAMED_ACCESS.has(access)) {
    throw new Error(`${name} does not say who may call it`);
  }
  if (route.body && route.ndjson) throw new Error(`${name} takes a body or lines, not both`);
  const inPath = new Set([...route.path.matchAll(/:(\w+)/g)].map((found) => found[1]));
  const inSchema = Object.keys(route.params?.properties ?? {});
  if (inPath.size !== inSchema.length || !inSchema.every((parameter) => inPath.has(parameter))) {
    throw new Error(`${name}: the path and the schema of its parameters disagree`);
  }
}
