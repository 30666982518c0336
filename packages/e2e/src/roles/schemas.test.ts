import assert from 'node:assert/strict';
import { compile } from '@gatehouse/schema';
import { ALL_ROUTES, nameOf } from './role-table.ts';

/** Services compile a schema on first use. This test finds invalid schemas before that. */
describe('the schemas of every route', () => {
  it('can be compiled', () => {
    for (const { route } of ALL_ROUTES) {
      const schemas = [route.body, route.ndjson, route.params, route.query, route.response];
      for (const schema of schemas) {
        if (schema === undefined) continue;
        assert.doesNotThrow(() => compile(schema, { unknownFields: 'refuse' })({}), nameOf(route));
      }
    }
  });
});
