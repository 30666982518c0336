import { stopCommand } from './stop-command.ts';

await stopCommand(process.argv.slice(2));
