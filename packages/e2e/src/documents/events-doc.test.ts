import assert from 'node:assert/strict';
import { readItems } from '@gatehouse/codegen';
import { eventTypes, publishedSchemaOf } from '@gatehouse/events';

describe('docs/events.md', () => {
  it('lists every type of event with its data', () => {
    const documented = readItems('docs/events.md', 'events').map(([type, [data]]) => [
      type,
      data || 'UserId',
    ]);
    const real = eventTypes.map((type) => {
      // `publishedSchemaOf` always builds schemas of this form.
      const schema = publishedSchemaOf(type) as {
        properties: { data: { properties: Record<string, object>; required?: string[] } };
      };
      const { properties, required = [] } = schema.properties.data;
      const names = Object.keys(properties).map((name) => `${name}${required.includes(name) ? '' : '?'}`);
      return [type, names.join(', ')];
    });
    assert.deepEqual(documented, real);
  });
});
