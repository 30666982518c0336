import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packPackage } from '@gatehouse/build';
import { CHART } from '../chart/chart-files.ts';
import { helm } from '../chart/helm.ts';
import { DOORS } from '../openapi/gateway-paths.ts';
import { DOCUMENT_FILE } from '../openapi/merged-document.ts';
import { ROOT } from '../write-generated.ts';
import { sectionOf } from './changelog.ts';
import { publishedCompose, publishedValues, type Published } from './published-files.ts';

const GUARD = 'packages/dev/src/servers/inbox-guard.cjs';
/** The packages for apps, by their folders. */
const PACKAGES = ['client', 'verify'];

/** Writes the files of a release, and returns their paths. */
export async function writeReleaseFiles(
  folder: string,
  published: Published,
  repositoryUrl: string,
): Promise<string[]> {
  const { version } = published;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const packed: string[] = [];
  for (const name of PACKAGES) packed.push(await packPackage(name, folder, { version, repositoryUrl }));
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const changelog = read('CHANGELOG.md');
  return [
    ...packed,
    ...packChart(folder, published),
    write('docker-compose.yml', publishedCompose(read('docker-compose.yml'), published, read(GUARD))),
    write('env.example', read('.env.example')),
    ...Object.keys(DOORS).map((path) => write(basename(path), read(path))),
    write('openapi.json', read(DOCUMENT_FILE)),
    write('NOTES.md', `${sectionOf(changelog, version) || sectionOf(changelog, 'Unreleased')}\n`),
  ];
}

/** The chart as an archive, and what it renders for installations without Helm. */
function packChart(folder: string, published: Published): string[] {
  const { version } = published;
  const staged = join(folder, 'chart');
  cpSync(new URL(CHART, ROOT), staged, { recursive: true });
  const values = join(staged, 'values.yaml');
  writeFileSync(values, publishedValues(readFileSync(values, 'utf8'), published));
  helm('package', staged, '--version', version, '--app-version', version, '--destination', folder);
  rmSync(staged, { recursive: true });
  const chart = join(folder, `gatehouse-${version}.tgz`);
  const manifests = join(folder, 'gatehouse.yaml');
  writeFileSync(manifests, helm('template', 'gatehouse', chart, '--values', 'deploy/kubernetes/values.yaml'));
  return [chart, manifests];
}

function read(path: string): string {
  return readFileSync(fileURLToPath(new URL(path, ROOT)), 'utf8');
}
