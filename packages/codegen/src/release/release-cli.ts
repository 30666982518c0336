import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { LAST_RELEASE, readSurface, surfaceText } from '../compatibility/surface.ts';
import { ROOT } from '../write-generated.ts';
import { cutChangelog, IMAGES, releaseProblems, writeReleaseFiles } from './release-files.ts';

const HELP = `Makes a release.

  npm run release -- 1.0.0             checks the tree, sets the version, cuts the changelog, commits and tags
  npm run release -- 1.0.0 --dry-run   only checks, builds all that would be published, and says what that is
  npm run release -- --dry-run         only builds all that would be published, with the version that stands
  npm run release -- --files           writes the files of this version to dist/release, as the workflow does

  --prefix NAME      the registry and name of the images (default: gatehouse)
  --digests FILE     the digests of images that were pushed, as a JSON object by name
  --repository URL   the repository, which npm compares with the provenance of a package

Pushing the tag starts .github/workflows/release.yml, which publishes.
`;
const FOLDER = fileURLToPath(new URL('dist/release', ROOT));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'dry-run': { type: 'boolean', default: false },
    files: { type: 'boolean', default: false },
    prefix: { type: 'string', default: 'gatehouse' },
    digests: { type: 'string' },
    repository: { type: 'string', default: '' },
  },
});
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const current = (JSON.parse(read('package.json')) as { version: string }).version;
const [version = current, ...others] = positionals;
const isNamed = positionals.length > 0;
if (others.length > 0 || (values.files ? isNamed : !isNamed && !values['dry-run'])) {
  process.stderr.write(HELP);
  process.exitCode = 1;
} else if (values.files) await files();
else if (!isNamed) await rehearse();
else await release();

async function files(): Promise<void> {
  const digests: unknown =
    values.digests === undefined ? {} : JSON.parse(readFileSync(values.digests, 'utf8'));
  const published = { version, prefix: values.prefix, digests: digests as Record<string, string> }; // of the workflow
  for (const file of await writeReleaseFiles(FOLDER, published, values.repository)) say(`✓ ${file}`);
}

async function release(): Promise<void> {
  const problems = releaseProblems({
    version,
    current,
    branch: git('branch', '--show-current'),
    changes: git('status', '--porcelain'),
    tags: git('tag').split('\n'),
    changelog: read('CHANGELOG.md'),
  });
  for (const problem of problems) process.stderr.write(`✗ ${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
  if (values['dry-run']) return rehearse();
  if (problems.length > 0) return;
  const manifest = read('package.json').replace(`"version": "${current}"`, `"version": "${version}"`);
  writeFileSync(new URL('package.json', ROOT), manifest);
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(new URL('CHANGELOG.md', ROOT), cutChangelog(read('CHANGELOG.md'), version, date));
  run('npm', ['run', 'openapi']);
  writeFileSync(new URL(LAST_RELEASE, ROOT), surfaceText(readSurface(read)));
  git('commit', '--all', '--message', `Gatehouse ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', `Gatehouse ${version}`);
  say(`✓ committed and tagged. To publish it: git push --follow-tags origin main`);
}

/** Builds all that the workflow publishes, and pushes nothing. */
async function rehearse(): Promise<void> {
  await files();
  const names = [...IMAGES, 'trial'].map((name) => `${values.prefix}/${name}:${version}`);
  if (hasEngine()) {
    run('docker', ['compose', 'build'], { GATEHOUSE_VERSION: version, IMAGE_PREFIX: values.prefix });
    const trial = ['--file', 'deploy/trial/Dockerfile', '--tag', `${values.prefix}/trial:${version}`];
    run('docker', ['build', ...trial, '--build-arg', `VERSION=${version}`, '.']);
  } else say('! no container engine answers, so no images were built');
  for (const name of names) say(`would push and sign the image ${name} (amd64, arm64)`);
  say(`would push and sign the chart gatehouse-${version}.tgz`);
  say(`would publish gatehouse-client ${version} and gatehouse-verify ${version} to npm`);
  say(`would create the release v${version} with the files above`);
}

function hasEngine(): boolean {
  try {
    execFileSync('docker', ['info'], { stdio: 'ignore', timeout: 10_000 });
    return true;
  } catch {
    return false;
  }
}

function read(path: string): string {
  return readFileSync(new URL(path, ROOT), 'utf8');
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
}

function run(command: string, args: string[], settings: NodeJS.ProcessEnv = {}): void {
  const env = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  execFileSync('/usr/bin/env', [...env, command, ...args], { cwd: ROOT, stdio: 'inherit' });
}
