import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { packPackage } from '@gatehouse/build';
import { CHART } from '../chart/chart-files.ts';
import { helm } from '../chart/helm.ts';
import { DOORS } from '../openapi/gateway-paths.ts';
import { DOCUMENT_FILE } from '../openapi/merged-document.ts';
import { ROOT } from '../write-generated.ts';

const GUARD = 'packages/dev/src/servers/inbox-guard.cjs';
/** The packages for apps, by their folders. */
const PACKAGES = ['client', 'verify'];

export async function writeReleaseFiles(folder: string, published: Published, repositoryUrl: string) {
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
    write('replace-containers.sh', read('services/replace-containers.sh')),
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
  return readFileSync(new URL(path, ROOT), 'utf8');
}

export const IMAGES = ['core', 'portal', 'admin', 'mail-worker', 'hook-worker', 'gateway', 'tools'] as const;

export interface Published {
  version: string;
  /** The registry and the name before `/core` and so on. */
  prefix: string;
  /** The digests of images that were pushed, by their names. */
  digests: Readonly<Record<string, string>>;
}

/** Names the published images instead of building them, and contains the one file that it mounts. */
function publishedCompose(text: string, { version, prefix, digests }: Published, guard: string): string {
  const images = text.replaceAll(
    /\$\{IMAGE_PREFIX:-localhost\/gatehouse\}\/([\w-]+):\$\{GATEHOUSE_VERSION:-dev\}/g,
    (_, name: string) => {
      const digest = digests[name];
      return `${prefix}/${name}:${version}${digest === undefined ? '' : `@${digest}`}`;
    },
  );
  const content = guard
    .replaceAll('$', '$$$$')
    .trimEnd()
    .replaceAll(/^(?=.)/gm, '      ');
  return `${images
    .replaceAll(/^( +)build:.*\n(?:\1 .*\n)*/gm, '')
    .replace(GUARD_VOLUME, 'configs: [{ source: inbox-guard, target: /inbox-guard.cjs }]')
    .replace(/^# A release comes with this file[^]*?\n(?=name:)/m, `# Gatehouse ${version}\n`)
    .trimEnd()}\n\nconfigs:\n  inbox-guard:\n    content: |\n${content}\n`;
}

const GUARD_VOLUME = /volumes: \['\.\/[\w./-]+\/inbox-guard\.cjs:\/inbox-guard\.cjs:ro'\]/;

/** The chart's values for a release: its images are the published ones. */
function publishedValues(text: string, { prefix, digests }: Published): string {
  const byComponent = Object.entries(digests).map(
    ([name, digest]) => `${name.replace('-worker', 'Worker')}: ${digest}`,
  );
  return text
    .replace(/^ {2}prefix: gatehouse$/m, `  prefix: ${prefix}`)
    .replace(
      /^ {2}digests: \{\}$/m,
      byComponent.length === 0 ? '$&' : `  digests: { ${byComponent.join(', ')} }`,
    );
}

export interface Tree {
  version: string;
  /** The version in package.json, which is the last release or a state before the first. */
  current: string;
  branch: string;
  /** The output of `git status --porcelain`. */
  changes: string;
  tags: readonly string[];
  changelog: string;
}

export function releaseProblems({ version, current, branch, changes, tags, changelog }: Tree): string[] {
  return [
    ...(/^\d+\.\d+\.\d+$/.test(version) ? [] : [`"${version}" is no version: three numbers, such as 1.0.0`]),
    ...(isNewer(version, current) ? [] : [`${version} is not newer than ${current}`]),
    ...(tags.includes(`v${version}`) ? [`The tag v${version} exists`] : []),
    ...(branch === 'main' ? [] : [`This is the branch ${branch}, not main`]),
    ...(changes === '' ? [] : ['There are changes that are not committed']),
    ...(sectionOf(changelog, 'Unreleased') === '' ? ['CHANGELOG.md has nothing under Unreleased'] : []),
  ];
}

function isNewer(version: string, current: string): boolean {
  const [mine, other] = [version, current].map((one) => one.split('.').map(Number));
  for (const [at, number] of (mine ?? []).entries()) {
    const than = other?.[at] ?? 0;
    if (number !== than) return number > than;
  }
  return false;
}

/** The part of the changelog below one heading of the second level, without the heading. */
export function sectionOf(changelog: string, title: string): string {
  const [, ...sections] = changelog.split(/^## /m);
  const found = sections.find(
    (section) => section.startsWith(`${title}\n`) || section.startsWith(`${title} `),
  );
  return (found ?? '').split('\n').slice(1).join('\n').trim();
}

/** The changelog with what was unreleased as the section of a version, below an empty section for what comes next. */
export function cutChangelog(changelog: string, version: string, date: string): string {
  return changelog.replace(/^## Unreleased\n/m, `## Unreleased\n\n## ${version} (${date})\n`);
}
