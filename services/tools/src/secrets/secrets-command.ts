import { CommandError } from '../command-error.ts';
import { makeSecrets } from './make-secrets.ts';

const HELP = `Creates the secrets of a deployment, one file each. It never changes an existing file.

  secrets <folder>
`;

/** Runs the command and returns the text to print. */
export function secretsCommand(args: string[]): string {
  const [folder, ...rest] = args;
  if (folder === '--help') return HELP;
  if (folder === undefined || folder.startsWith('-') || rest.length > 0) {
    throw new CommandError('secrets needs one folder', 'Try: secrets --help');
  }
  const made = makeSecretsIn(folder);
  return `${made.length === 0 ? 'Every secret is there already' : `Created ${made.join(', ')}`} in ${folder}. Back it up apart from the database.\n`;
}

function makeSecretsIn(folder: string): string[] {
  try {
    return makeSecrets(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EACCES' && code !== 'EPERM') throw error;
    throw new CommandError(
      `${folder} belongs to another user than the one who runs this`,
      'In a container on Linux: docker compose run --rm --user "$(id -u):$(id -g)" secrets',
    );
  }
}
