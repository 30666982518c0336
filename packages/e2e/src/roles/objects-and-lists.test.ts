import assert from 'node:assert/strict';
import { ALL_ROUTES, nameOf } from '@gatehouse/codegen';
import { v7 as newId } from 'uuid';
import { during } from '@gatehouse/runtime/testing';
import { startServicesWithProvider } from '../requests/demo-provider.ts';
import { requestOfSomebody } from '../requests/request-for.ts';
import { contracts, mailContents } from '@gatehouse/events';
import { compile, type TSchema } from '@gatehouse/schema';
import { examine } from '@gatehouse/schema/testing';

const ROUTES = ALL_ROUTES.filter(({ api, route }) => api === 'Admin' && route.access !== 'public');

describe('every route of Admin', () => {
  const services = during(() => startServicesWithProvider());

  for (const entry of ROUTES.filter(({ route }) => route.path.includes('/:id')))
    it(`${nameOf(entry.route)} knows no object that does not exist`, async () => {
      const sent = await requestOfSomebody(services, entry.route);
      for (const [id, status, code] of [
        [newId(), 404, 'not_found'],
        ['x', 400, 'invalid_request'],
      ] as const) {
        const path = sent.path.replace(/[0-9a-f-]{36}/, id);
        const answer = await services.send('Admin', { ...sent, path });
        assert.deepEqual([answer.status, answer.body['code']], [status, code], path);
      }
    });

  for (const entry of ROUTES.filter(({ route }) => route.query !== undefined))
    it(`${nameOf(entry.route)} takes no parameter that is malformed, repeated or unknown`, async () => {
      const sent = await requestOfSomebody(services, entry.route);
      const [at = ''] = sent.path.split('?');
      const names = Object.keys(entry.route.query?.properties ?? {});
      const wrong = names.flatMap((name) => [`${name}=`, `${name}=x&${name}=x`, `${name}=%00`]);
      const pages = names.includes('limit') ? ['limit=0', 'limit=201', 'cursor=x', 'cursor=e30'] : [];
      for (const search of [...wrong, ...pages, 'unknown=x']) {
        const { status, body } = await services.send('Admin', { ...sent, path: `${at}?${search}` });
        const [{ pointer } = { pointer: '' }] = (body['errors'] ?? []) as { pointer: string }[];
        assert.deepEqual([status, pointer], [400, `/query/${search.split('=')[0]}`], search);
      }
    });
});

/** Services compile a schema on first use, and never examine it. These tests find invalid schemas before that. */
describe('the schemas of every route', () => {
  for (const { route } of ALL_ROUTES) {
    it(`are valid: ${nameOf(route)}`, () => {
      for (const field of ['body', 'params', 'query', 'response'] as const) {
        if (route[field] !== undefined) expectValid(route[field], field);
      }
    });
  }
});

describe('the schemas of events and mails', () => {
  for (const [type, { data }] of Object.entries(contracts))
    it(`are valid: event ${type}`, () => expectValid(data, type));
  for (const [kind, content] of Object.entries(mailContents))
    it(`are valid: mail ${kind}`, () => expectValid(content, kind));
});

function expectValid(schema: TSchema, what: string): void {
  assert.doesNotThrow(() => examine(schema), what);
  assert.doesNotThrow(() => compile(schema, { unknownFields: 'refuse' })({}), what);
}
