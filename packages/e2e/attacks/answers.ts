import { about as aboutAdmin, routes as adminRoutes } from '@gatehouse/admin';
import { about as aboutCore, routes as coreRoutes } from '@gatehouse/core';
import { ERRORS, openapi, type Route } from '@gatehouse/http';
import { about as aboutPortal, routes as portalRoutes } from '@gatehouse/portal';
import type { HttpAnswer, ServiceName } from './target.ts';

/** An endpoint, and the statuses that its documentation lists. */
export interface Declared {
  service: ServiceName;
  route: Route<never>;
  name: string;
  statuses: ReadonlySet<number>;
}

/** Every endpoint of every service. */
export function everyEndpoint(): Declared[] {
  const services = [
    ['core', aboutCore, coreRoutes],
    ['portal', aboutPortal, portalRoutes],
    ['admin', aboutAdmin, adminRoutes],
  ] as const;
  return services.flatMap(([service, about, routes]) => {
    const { paths } = openapi({ ...about, routes });
    return routes.map((route: Route<never>) => {
      const operation = paths[route.path.replaceAll(/:(\w+)/g, '{$1}')]?.[route.method];
      const statuses = new Set(Object.keys(operation?.responses ?? {}).map(Number));
      return { service, route, name: `${route.method.toUpperCase()} ${route.path}`, statuses };
    });
  });
}

/** Internal details that an attacker would like to find in a response. */
const INSIDES =
  /node_modules|\.ts:\d|\bat \w+ \(|\b(select|insert into|update|delete from)\s+"?\w+"?\s|knex|postgres|ioredis|amqp|ECONN|SyntaxError|TypeError|RangeError/i;

/** What is wrong with a response, for any request; undefined if it keeps the promises. */
export function faultOf(
  response: HttpAnswer,
  declared: Pick<Declared, 'statuses' | 'route'> & { mayMissRoute: boolean },
): string | undefined {
  const { status, headers } = response;
  if (status >= 500) return `a ${status}`;
  // A malformed URL is refused before the request is routed.
  const isKnown =
    declared.statuses.has(status) || (declared.mayMissRoute && [400, 404, 405, 431].includes(status));
  if (!isKnown) return `the status ${status}, which is not declared`;
  if (headers['x-content-type-options'] !== 'nosniff') return 'no nosniff';
  if (headers['x-powered-by'] !== undefined || headers['server'] !== undefined)
    return 'it tells what it is made of';
  if (status < 400) return undefined;
  return declared.route.rules?.errors === 'oauth' && headers['content-type'] === 'application/json'
    ? oauthFault(response)
    : problemFault(response);
}

/** The format of errors in OAuth (RFC 6749 §5.2). */
function oauthFault({ json, text }: HttpAnswer): string | undefined {
  const { error, error_description: description, ...more } = json;
  if (typeof error !== 'string' || typeof description !== 'string') return 'an error without a description';
  if (Object.keys(more).length > 0) return `an error with ${Object.keys(more).join()}`;
  if (INSIDES.test(text)) return `our insides: ${INSIDES.exec(text)?.[0]}`;
  return undefined;
}

const PROBLEM_FIELDS = new Set([
  'type',
  'title',
  'status',
  'detail',
  'code',
  'traceId',
  'errors',
  'LoginStatus',
]);

/** Errors have one format (RFC 9457). */
function problemFault({ status, headers, json, text }: HttpAnswer): string | undefined {
  if (headers['content-type'] !== 'application/problem+json')
    return `${status} of type ${headers['content-type']}`;
  const { type, title, status: statusInBody, detail, code, traceId, errors } = json;
  const unknown = Object.keys(json).filter((name) => !PROBLEM_FIELDS.has(name));
  if (unknown.length > 0) return `an error with ${unknown.join()}`;
  const known = Object.entries(ERRORS).find(([one]) => one === code)?.[1];
  if (known === undefined) return `the unknown code ${String(code)}`;
  if (known.status !== status || statusInBody !== status || known.title !== title)
    return `${String(code)} with ${status}`;
  if (type !== `urn:gatehouse:problem:${String(code)}` || typeof detail !== 'string')
    return 'an error without type or detail';
  if (!/^[0-9a-f]{32}$/.test(String(traceId))) return 'an error without a trace';
  if (errors !== undefined && !areProblems(errors)) return 'errors without pointers';
  if (INSIDES.test(text)) return `our insides: ${INSIDES.exec(text)?.[0]}`;
  if (headers['cache-control'] !== 'no-store') return 'an error that may be kept';
  if (status === 401 && headers['www-authenticate']?.startsWith('Bearer ') !== true)
    return 'a 401 without a challenge';
  if (status === 429 && !/^[1-9]\d*$/.test(headers['retry-after'] ?? '')) return 'a 429 without Retry-After';
  return undefined;
}

function areProblems(errors: unknown): boolean {
  return (
    Array.isArray(errors) &&
    errors.every(({ pointer, message }) => typeof pointer === 'string' && typeof message === 'string')
  );
}
