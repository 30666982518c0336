import assert from 'node:assert/strict';
import { REDIRECT_URI } from '@gatehouse/accounts/testing';
import { during } from '@gatehouse/runtime/testing';
import { startServices } from '../requests/services.ts';
import { ALL_ROUTES, nameOf } from '@gatehouse/codegen';
import { FORM, mediaTypeOf } from '@gatehouse/http';
import { startServicesWithProvider } from '../requests/demo-provider.ts';
import { createEffectiveRequests } from '../requests/effective-requests.ts';

const API = 'https://orders.example';
const OWN = ['orders.read', 'https://orders.example/write', "<b>'all'</b>"];

/** From the administrator who registers them to the API that reads them. */
describe('scopes of an application’s own', () => {
  const services = during(() => startServices());
  const register = async (fields: object) => {
    const body = { Name: 'Orders', RedirectUris: [REDIRECT_URI], Resources: [API], ...fields };
    const answer = await services.call('POST /admin/oauth-client', { token: services.adminToken, body });
    assert.equal(answer.status, 201, answer.text);
    return { client_id: String(answer.body['Id']), client_secret: String(answer.body['Secret']) };
  };
  const post = (path: string, form: Record<string, string>) =>
    services.call(`POST /oauth/${path}`, { body: new URLSearchParams(form) });

  it('are in the tokens of a machine, and its API, which gets none itself, reads them', async () => {
    const machine = await register({ Scopes: ['openid', ...OWN], GrantTypes: ['client_credentials'] });
    const api = await register({ GrantTypes: [], RedirectUris: [] });
    const ask = (more: Record<string, string>) =>
      post('token', { ...machine, grant_type: 'client_credentials', resource: API, ...more });
    for (const scope of [...OWN, OWN.join(' ')]) {
      const { body } = await ask({ scope });
      assert.equal(body['scope'], scope);
      const seen = await post('introspect', { ...api, token: String(body['access_token']) });
      assert.deepEqual([seen.body['active'], seen.body['scope']], [true, scope]);
    }
    assert.equal((await ask({})).body['scope'], OWN.join(' '));
    for (const scope of ['openid', 'orders.delete', 'Orders.read', 'orders.read openid'])
      assert.equal((await ask({ scope })).body['error'], 'invalid_scope', scope);
    const own = await post('token', { ...api, grant_type: 'client_credentials', resource: API });
    assert.equal(own.body['error'], 'unauthorized_client');
  });

  it('are not announced, since they mean something to the application’s APIs alone', async () => {
    await register({ Scopes: ['openid', ...OWN] });
    const { body } = await services.call('GET /.well-known/openid-configuration');
    assert.deepEqual(body['scopes_supported'], ['openid', 'profile', 'email', 'offline_access', 'groups']);
  });
});

/** RFC 6749 §3.2: a parameter without a value is treated as if it was left out. */
describe('a field without a value', function () {
  this.timeout(60_000);
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
