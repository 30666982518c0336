import { nameOf } from '@gatehouse/codegen';
import { PASSWORD, someEmail } from '@gatehouse/accounts/testing';
import { FORM, mediaTypeOf, NDJSON, type Route } from '@gatehouse/http';
import { smallest } from './smallest.ts';
import { createFixtures, namesOwnedObject, type Fixtures } from './objects.ts';
import { newCaller } from './prepared/prepared.ts';
import type { Services } from './services.ts';

/** Optional fields without which the request has no effect. */
const ALSO: Record<string, readonly string[]> = {
  'POST /account/change-email': ['Password'],
  'POST /account/register-guest': ['Password'],
  'POST /account/two-factor': ['Password'],
  'POST /account/export': ['Password'],
  'POST /account/erase': ['Password'],
  'PUT /account/profile': ['DisplayName'],
  'PATCH /admin/account/{id}': ['DisplayName'],
};

/** Complete bodies where the fields alone do not say what they are about. */
const WHOLE: Record<string, (fixtures: Fixtures) => object | Promise<object>> = {
  // Of nobody's account: that of a user is refused as a caller without the role would be.
  'POST /console/session': () => ({ Username: someEmail(), Password: PASSWORD }),
  'POST /admin/oauth-client': () => ({ Name: 'App', RedirectUris: ['https://app.example.com/callback'] }),
  'POST /admin/account/bulk': async (fixtures) => ({
    Filter: { Ids: [await fixtures.inField('UserId')] },
    Change: { ExpiresAt: '2999-01-01T00:00:00Z' },
  }),
};

/** The smallest valid request of a route that has an effect, about existing objects. */
export async function requestFor(route: Route<never>, fixtures: Fixtures) {
  const { method, path, params, query, body } = route;
  let address = path;
  for (const pathSoFar of pathsToParameters(path)) {
    const name = pathSoFar.slice(pathSoFar.lastIndexOf(':') + 1);
    const schema = params?.properties[name];
    const value = (await fixtures.inPath(pathSoFar)) ?? (schema && (await smallest(schema, () => undefined)));
    address = address.replace(`:${name}`, String(value));
  }
  const words = (field: string) => fixtures.inField(field);
  const asked = query && ((await smallest(query, capitalized(words))) as Record<string, string>);
  const search = new URLSearchParams(asked).toString();
  const whole = WHOLE[nameOf(route)];
  const given = whole ? await whole(fixtures) : body && (await smallest(body, words, ALSO[nameOf(route)]));
  const sent = { method: method.toUpperCase(), path: search === '' ? address : `${address}?${search}` };
  const type = mediaTypeOf(body);
  const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
  if (type === FORM)
    return { ...sent, headers, body: new URLSearchParams(given as Record<string, string>).toString() }; // strings
  return { ...sent, headers, body: type === NDJSON ? `${JSON.stringify(given)}\n` : given };
}

/** That of a new administrator, about their own objects. */
export async function requestOfSomebody(services: Services, route: Route<never>) {
  const caller = await newCaller(services);
  const sent = await requestFor(route, createFixtures(services, services.adminToken).of(caller));
  return { ...sent, headers: { ...sent.headers, authorization: `Bearer ${caller.Token}` } };
}

/** Whether a route's smallest request refers to an object that has an owner, such as content or one's own session. */
export function concernsOwnedObject(route: Route<never>): boolean {
  const { required = [], oneOfFields = {} }: { required?: string[]; oneOfFields?: Record<string, string[]> } =
    route.body ?? {};
  const fields = [...required, ...(Object.values(oneOfFields)[0] ?? []), ...(ALSO[nameOf(route)] ?? [])];
  return namesOwnedObject({ paths: pathsToParameters(route.path), fields });
}

function pathsToParameters(path: string): string[] {
  return [...path.matchAll(/:\w+/g)].map(({ index, 0: { length } }) => path.slice(0, index + length));
}

/** Queries use lower camel case for the names that bodies have in Pascal case. */
function capitalized(words: (field: string) => unknown): (field: string) => unknown {
  return (field) => words(`${field.charAt(0).toUpperCase()}${field.slice(1)}`);
}
