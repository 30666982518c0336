import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { routes as adminRoutes } from '@gatehouse/admin';
import { routes as coreRoutes } from '@gatehouse/core';
import { operationIdOf, type Route } from '@gatehouse/http';
import { routes as portalRoutes } from '@gatehouse/portal';
import { compile, exampleOf, type TSchema } from '@gatehouse/schema';
import { openapiDocuments, ROOT } from './openapi-documents.ts';

// What a handler takes is of no interest here.
const ROUTES = [...coreRoutes, ...portalRoutes, ...adminRoutes] as Route<never>[];

describe('docs/openapi', () => {
  it('holds what the services serve; `npm run openapi` writes it anew', async () => {
    for (const [name, text] of await openapiDocuments()) {
      assert.equal(await readFile(new URL(name, ROOT), 'utf8'), text, name);
    }
  });

  it('has a name and a subject for every operation, no name twice over the three APIs', () => {
    for (const { operationId, tag, method, path } of ROUTES) {
      assert.ok(operationId !== undefined && tag !== undefined, `${method} ${path}`);
      assert.match(operationId, /^[a-z][A-Za-z]+$/);
    }
    const names = ROUTES.map(operationIdOf);
    assert.deepEqual(
      names.filter((name, place) => names.indexOf(name) !== place),
      [],
    );
  });

  it('says of every subject what it is about', async () => {
    for (const [file, text] of await openapiDocuments()) {
      const { tags } = JSON.parse(text) as { tags: { name: string; description?: string }[] };
      for (const { name, description } of tags) assert.ok(description, `${file}: ${name} (tags in app.ts)`);
    }
  });

  it('shows examples that the schemas themselves take', () => {
    for (const route of ROUTES) {
      const inputs: (TSchema | undefined)[] = [route.body, route.ndjson];
      for (const schema of inputs) fits(schema, 'drop', `${operationIdOf(route)} takes`);
      if (route.response !== undefined) fits(route.response, 'refuse', `${operationIdOf(route)} answers`);
    }
  });
});

function fits(schema: TSchema | undefined, unknownFields: 'drop' | 'refuse', what: string): void {
  if (schema === undefined) return;
  const example = exampleOf(schema);
  assert.equal(compile(schema, { unknownFields })(structuredClone(example)), undefined, what);
}
