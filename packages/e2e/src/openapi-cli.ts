import { mkdir, writeFile } from 'node:fs/promises';
import { OPENAPI_FOLDER, openapiDocuments } from './openapi-documents.ts';
import { ROLES_PAGE, rolesPage } from './roles/role-table.ts';

await mkdir(OPENAPI_FOLDER, { recursive: true });
for (const [name, text] of await openapiDocuments()) {
  await writeFile(new URL(name, OPENAPI_FOLDER), text);
  process.stdout.write(`✓ docs/openapi/${name}\n`);
}
await writeFile(ROLES_PAGE, await rolesPage());
process.stdout.write('✓ docs/roles.md\n');
