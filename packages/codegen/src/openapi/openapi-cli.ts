import { GRANTS_PAGE, grantsPage } from '../tables/grants-table.ts';
import { ROLES_PAGE, rolesPage } from '../tables/role-table.ts';
import { writeGenerated } from '../write-generated.ts';
import { generatedFiles } from './generated-files.ts';

for (const file of generatedFiles()) await writeGenerated(file);
await writeGenerated([ROLES_PAGE, await rolesPage()]);
await writeGenerated([GRANTS_PAGE, await grantsPage()]);
