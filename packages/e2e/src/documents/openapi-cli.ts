import { writeFile } from 'node:fs/promises';
import { gatewayPaths } from './gateway-paths.ts';
import { openapiDocuments, ROOT } from './openapi-documents.ts';
import { ROLES_PAGE, rolesPage } from '../roles/role-table.ts';

for (const [name, text] of [...(await openapiDocuments()), ...gatewayPaths()]) {
  await writeFile(new URL(name, ROOT), text);
  process.stdout.write(`✓ ${name}\n`);
}
await writeFile(ROLES_PAGE, await rolesPage());
process.stdout.write('✓ docs/roles.md\n');
