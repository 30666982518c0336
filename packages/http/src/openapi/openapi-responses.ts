import { exampleOf, type TSchema } from '@gatehouse/schema';
import { successStatuses, hasNoBody, textType, type Route } from '../route.ts';
import type { Answer, Content, Named } from './openapi-components.ts';
import { headersOf } from './openapi-refusals.ts';

/** The successful responses, by status. */
export function responsesOf(route: Route<never>, named: Named): Record<string, Answer> {
  const headers = headersOf({ ...route.headers?.response, ...cachingOf(route) });
  return Object.fromEntries(
    Object.entries(successStatuses(route)).map(([status, description]) => [
      status,
      {
        description,
        headers,
        ...(route.response && !hasNoBody(Number(status))
          ? { content: content(route.response, route, named) }
          : {}),
      },
    ]),
  );
}

/** Strings are sent as text, everything else as JSON; a union may contain both. */
function content(response: TSchema, route: Route<never>, named: Named): Content {
  const kinds = (response as { anyOf?: TSchema[] }).anyOf ?? [response];
  const isText = (schema: TSchema): boolean => (schema as { type?: unknown }).type === 'string';
  const text = kinds.find(isText);
  const other = text === undefined ? response : kinds.find((kind) => !isText(kind));
  return {
    ...(text ? { [textType(route)]: { schema: text } } : {}),
    ...(other ? { 'application/json': described(other, named) } : {}),
  };
}

/** A reference to a named schema, with an example. */
export function described(schema: TSchema, { name, components }: Named): Content[string] {
  return { schema: components.refer(schema, name), example: exampleOf(schema) };
}

/** How long a response may be cached, if at all. */
function cachingOf({ headers }: Route<never>): Record<string, string> {
  const caching = headers?.fixed?.['Cache-Control'];
  return caching === undefined ? {} : { 'Cache-Control': `Always \`${caching}\`` };
}
