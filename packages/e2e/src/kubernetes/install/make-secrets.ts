import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programArguments } from '@gatehouse/build';
import { ROOT } from '../chart-files.ts';
import { readPrintedSecrets, type Secrets } from '../printed-secrets.ts';

/** Makes the Secrets of an installation, as docs/kubernetes.md says. `files` are those that operators write themselves. */
export function makeSecrets(
  folder: string,
  servers: { postgres: string; files: Record<string, string> },
): Secrets {
  const at = (name: string): string => join(folder, name);
  const script = (path: string, ...args: string[]): string =>
    execFileSync('sh', [fileURLToPath(new URL(path, ROOT)), ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  script('services/make-secrets.sh', folder);
  for (const file of readdirSync(folder).filter((name) => name.endsWith('-database-url'))) {
    writeFileSync(
      at(file),
      readFileSync(at(file), 'utf8').replace('@postgres:5432/', `@${servers.postgres}/`),
    );
  }
  for (const [file, text] of Object.entries(servers.files)) writeFileSync(at(file), `${text}\n`);
  for (const keys of ['keys', 'portal-keys']) mkdirSync(at(keys));
  execFileSync(
    process.execPath,
    [...programArguments('tools'), 'keys', 'provide', at('keys'), at('portal-keys')],
    { env: { TOKEN_SECRET_FILE: at('token-secret'), MAIL_KEY_FILE: at('mail-key') } },
  );
  return readPrintedSecrets(script('deploy/kubernetes/secrets.sh', folder, at('keys'), at('portal-keys')));
}
