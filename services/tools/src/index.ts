export { askAtTerminal, type Ask } from './ask.ts';
export { CommandError, describeFailure } from './command-error.ts';
export { createAdminCommand } from './create-admin-command.ts';
export { importCommand } from './import-command.ts';
export type { ImportAccess } from './import-file.ts';
