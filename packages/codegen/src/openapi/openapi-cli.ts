import { writeFile } from 'node:fs/promises';
import { clientTypes } from './client-types.ts';
import { gatewayPaths } from './gateway-paths.ts';
import { OPERATIONS_FILE, operationTypes } from './operation-types.ts';
import { GRANTS_PAGE, grantsPage } from '../tables/grants-table.ts';
import { DOCUMENT_FILE, documentText, ROOT } from './openapi-document.ts';
import { ROLES_PAGE, rolesPage } from '../tables/role-table.ts';

for (const [name, text] of [
  [DOCUMENT_FILE, await documentText()] as const,
  ...gatewayPaths(),
  ...(await clientTypes()),
  [OPERATIONS_FILE, await operationTypes()] as const,
  [ROLES_PAGE, await rolesPage()] as const,
  [GRANTS_PAGE, await grantsPage()] as const,
]) {
  await writeFile(new URL(name, ROOT), text);
  process.stdout.write(`✓ ${name}\n`);
}
