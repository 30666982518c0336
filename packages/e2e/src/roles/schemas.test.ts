import assert from 'node:assert/strict';
import { ALL_ROUTES, nameOf } from '@gatehouse/codegen';
import { contracts, mailContents } from '@gatehouse/events';
import { compile, type TSchema } from '@gatehouse/schema';
import { examine } from '@gatehouse/schema/testing';

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
  for (const [type, { data }] of Object.entries(contracts)) {
    it(`are valid: event ${type}`, () => expectValid(data, type));
  }
  for (const [kind, content] of Object.entries(mailContents)) {
    it(`are valid: mail ${kind}`, () => expectValid(content, kind));
  }
});

function expectValid(schema: TSchema, what: string): void {
  assert.doesNotThrow(() => examine(schema), what);
  assert.doesNotThrow(() => compile(schema, { unknownFields: 'refuse' })({}), what);
}
