import assert from 'node:assert/strict';
import { ALL_ROUTES, nameOf } from '@gatehouse/codegen';
import { during } from '@gatehouse/runtime/testing';
import { createFixtures } from '../requests/objects.ts';
import { requestFor } from '../requests/request-for.ts';
import { startServices } from '../requests/services.ts';
import { createPrincipals } from './users.ts';
import { watch } from './watch.ts';
import type { Sent } from '../requests/send.ts';

/**
 * Requests that browsers send for forms, images and `fetch` without CORS, from another site and from a sibling
 * subdomain.
 */
const FORMS = ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain'];
const ATTEMPTS: { name: string; method?: 'GET'; headers: Record<string, string> }[] = [
  { site: 'cross-site', origin: 'https://evil.test' },
  { site: 'same-site', origin: 'https://evil.gatehouse.test' },
].flatMap(({ site, origin }) => [
  ...FORMS.map((type) => ({
    name: `a form from ${origin}: ${type}`,
    headers: { 'content-type': type, 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate', origin },
  })),
  {
    name: `fetch without CORS from ${origin}`,
    headers: { 'content-type': 'text/plain', 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors', origin },
  },
  {
    name: `fetch of JSON from ${origin}`,
    headers: { 'content-type': 'application/json', 'sec-fetch-site': site, 'sec-fetch-mode': 'cors', origin },
  },
  // Browsers before 2020 send none of the Sec-Fetch headers.
  { name: `a form of an old browser from ${origin}`, headers: { 'content-type': 'text/plain', origin } },
  {
    name: `an image from ${origin}`,
    method: 'GET' as const,
    headers: { 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
  },
]);

/** Routes that change something and accept a cookie. */
const WRITES = ALL_ROUTES.filter(({ route }) => route.method !== 'get' && route.access !== 'public');

describe('pages of other sites, with the cookies of a signed-in administrator', function () {
  this.timeout(60_000);
  const services = during(() => startServices());
  let look: ReturnType<typeof watch>;
  let cookie: string;
  const requests = new Map<string, Sent>();
  before(async () => {
    const { app, adminToken } = services;
    const { users } = createPrincipals(services, adminToken);
    const inBrowser = await users.find(({ name }) => name === 'an administrator in a browser')?.create();
    cookie = inBrowser?.headers['cookie'] ?? '';
    const fixtures = createFixtures(services, adminToken).of(inBrowser?.owner);
    for (const { route } of WRITES) requests.set(nameOf(route), await requestFor(route, fixtures));
    look = watch(app);
    await look();
  });

  it('are tried with cookies that are good for pages of our own', async () => {
    const headers = { cookie, 'sec-fetch-site': 'same-origin' };
    assert.equal((await services.call('GET /admin/account', { headers })).status, 200);
  });

  for (const { api, route } of WRITES) {
    const name = nameOf(route);
    it(`change nothing by ${name}`, async () => {
      const sent = requests.get(name) ?? assert.fail();
      const answers = await Promise.all(
        ATTEMPTS.map(async ({ name: attempt, method, headers }) => {
          const { body, ...request } = { ...sent, headers: { ...headers, cookie } };
          const tried = method === undefined ? { ...request, body: body ?? '' } : { ...request, method };
          const { status, text } = await services.send(api, tried);
          // The GET for an image finds either no such route or a route that only reads, which refuses it as well.
          const refusals = method === undefined ? [403, 415] : [403, 404, 405];
          return refusals.includes(status) ? [] : [`${attempt}: ${status} ${text}`];
        }),
      );
      assert.deepEqual({ wrong: answers.flat(), changed: await look() }, { wrong: [], changed: [] });
    });
  }
});
