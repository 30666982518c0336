import { keysCommand } from './keys-command.ts';

try {
  process.stdout.write(keysCommand(process.argv.slice(2), Math.floor(Date.now() / 1000)));
} catch (error) {
  process.stderr.write(`keys: ${error instanceof Error ? error.message : 'failed'}\n`);
  process.exitCode = 1;
}
