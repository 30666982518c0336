import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { OPENAPI_FOLDER, openapiDocuments } from './openapi-documents.ts';

describe('docs/openapi', () => {
  it('holds what the services serve; `npm run openapi` writes it anew', async () => {
    for (const [name, text] of await openapiDocuments()) {
      assert.equal(await readFile(new URL(name, OPENAPI_FOLDER), 'utf8'), text, name);
    }
  });
});
