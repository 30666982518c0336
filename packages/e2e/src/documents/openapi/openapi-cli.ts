import { writeFile } from 'node:fs/promises';
import { clientTypes } from './client-types.ts';
import { gatewayPaths } from './gateway-paths.ts';
import { OPERATIONS_FILE, operationTypes } from './operation-types.ts';
import { GRANTS_PAGE, grantsPage } from '../grants-table.ts';
import { openapiDocuments, ROOT } from './openapi-documents.ts';
import { ROLES_PAGE, rolesPage } from '../../roles/role-table.ts';

for (const [name, text] of [
  ...(await openapiDocuments()),
  ...gatewayPaths(),
  ...(await clientTypes()),
  [OPERATIONS_FILE, await operationTypes()] as const,
  [ROLES_PAGE, await rolesPage()] as const,
  [GRANTS_PAGE, await grantsPage()] as const,
]) {
  await writeFile(new URL(name, ROOT), text);
  process.stdout.write(`✓ ${name}\n`);
}
