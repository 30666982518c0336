import { writeGenerated } from '../write-generated.ts';
import { GRANTS_PAGE, grantsPage } from '../tables/grants-table.ts';
import { ROLES_PAGE, rolesPage } from '../tables/role-table.ts';
import { clientTypes } from './client-types.ts';
import { gatewayPaths } from './gateway-paths.ts';
import { DOCUMENT_FILE, documentText } from './openapi-document.ts';
import { OPERATIONS_FILE, operationTypes } from './operation-types.ts';

await writeGenerated([DOCUMENT_FILE, await documentText()]);
for (const file of [...gatewayPaths(), ...(await clientTypes())]) await writeGenerated(file);
await writeGenerated([OPERATIONS_FILE, await operationTypes()]);
await writeGenerated([ROLES_PAGE, await rolesPage()]);
await writeGenerated([GRANTS_PAGE, await grantsPage()]);
