import assert from 'node:assert/strict';
import { during } from '@gatehouse/runtime/testing';
import { ALL_ROUTES, nameOf } from '@gatehouse/codegen';
import { FORM, mediaTypeOf } from '@gatehouse/http';
import { startServicesWithProvider } from '../requests/demo-provider.ts';
import { createEffectiveRequests } from '../requests/effective-requests.ts';

/** RFC 6749 §3.2: a parameter without a value is treated as if it was left out. */
describe('a field without a value', () => {
  const services = during(() => startServicesWithProvider());
  for (const entry of ALL_ROUTES.filter(({ route }) => mediaTypeOf(route.body) === FORM)) {
    it(`counts as left out at ${nameOf(entry.route)}`, async () => {
      const { properties = {} }: { properties?: object } = entry.route.body ?? {};
      const fields = Object.keys(properties);
      assert.ok(fields.length > 0);
      for (const field of [...fields, 'unknown']) {
        // What a request needs works once, so that each has its own.
        for (const { name, api, sent } of await createEffectiveRequests(services)(entry)) {
          const body = String(sent.body);
          if (new URLSearchParams(body).has(field)) continue;
          const { status, headers, text } = await services.send(api, { ...sent, body: `${body}&${field}=` });
          const back = headers['location'] ?? '';
          assert.ok(status < 400 && !/error/i.test(back), `${name} with ${field}: ${status} ${text} ${back}`);
        }
      }
    });
  }
});
