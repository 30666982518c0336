import assert from 'node:assert/strict';
import { DOCUMENT_FILE } from '@gatehouse/codegen';
import type { OpenApi } from '@gatehouse/http';
import { readPage } from './documents.ts';

/** The OpenAPI document, with every reference replaced by its target. */
export function readOpenApi(): OpenApi {
  const document = JSON.parse(readPage(DOCUMENT_FILE)) as OpenApi; // written by the build
  const expand = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (_name, inner: unknown) => {
      const reference = (inner as { $ref?: string } | null)?.$ref;
      if (reference === undefined) return inner;
      const [, , kind = '', name = ''] = reference.split('/');
      const found: unknown = Reflect.get(Reflect.get(document.components, kind) as object, name);
      assert.ok(found, reference);
      return expand(found);
    });
  return expand(document) as OpenApi; // still an OpenAPI document
}
