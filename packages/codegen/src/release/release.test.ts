import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testFolder } from '@gatehouse/runtime/testing';
import { parse } from 'yaml';
import { ROOT } from '../write-generated.ts';
import { cutChangelog, IMAGES, releaseProblems, sectionOf } from './release-files.ts';
import { writeReleaseFiles, type Tree } from './release-files.ts';

const CHANGELOG = '# Changelog\n\n## Unreleased\n\n- A new thing.\n\n## 1.0.0 (2026-12-01)\n\n- The first.\n';

describe('releaseProblems', () => {
  const tree: Tree = {
    version: '1.1.0',
    current: '1.0.9',
    branch: 'main',
    changes: '',
    tags: ['v1.0.8'],
    changelog: CHANGELOG,
  };

  it('finds none in a clean main with something to release', () =>
    assert.deepEqual(releaseProblems(tree), []));

  const wrong: [Partial<Tree>, RegExp][] = [
    [{ version: '1.1' }, /no version/],
    [{ version: '1.0.9' }, /not newer/],
    [{ version: '0.9.10' }, /not newer/],
    [{ tags: ['v1.1.0'] }, /exists/],
    [{ branch: 'feature' }, /not main/],
    [{ changes: ' M README.md' }, /not committed/],
    [{ changelog: cutChangelog(CHANGELOG, '1.1.0', '2026-12-02') }, /nothing under Unreleased/],
  ];
  for (const [change, message] of wrong)
    it(`names what is wrong with ${JSON.stringify(change)}`, () => {
      const problems = releaseProblems({ ...tree, ...change });
      assert.equal(problems.length, 1);
      assert.match(problems.join(''), message);
    });
});

describe('cutChangelog', () => {
  it('gives what was unreleased to the version, and leaves room for what comes next', () => {
    const cut = cutChangelog(CHANGELOG, '1.1.0', '2026-12-02');
    assert.equal(sectionOf(cut, 'Unreleased'), '');
    assert.equal(sectionOf(cut, '1.1.0'), '- A new thing.');
    assert.equal(sectionOf(cut, '1.0.0'), '- The first.');
  });
});

describe('the files of a release', function () {
  this.timeout(120_000);
  const folder = testFolder();
  const [version, prefix] = ['9.8.7', 'registry.example.com/gatehouse'];
  const digests = Object.fromEntries(IMAGES.map((name, at) => [name, `sha256:${String(at).repeat(64)}`]));
  before(() => writeReleaseFiles(folder, { version, prefix, digests }, 'https://git.example.com/gatehouse'));
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

  for (const name of ['gatehouse-client', 'gatehouse-verify'])
    it(`have ${name} with the version and the repository`, () => {
      const tar = ['-xzOf', join(folder, `${name}.tgz`), 'package/package.json'];
      const manifest = JSON.parse(execFileSync('tar', tar, { encoding: 'utf8' })) as Record<string, unknown>;
      const directory = `packages/${name.slice('gatehouse-'.length)}`;
      const url = 'git+https://git.example.com/gatehouse.git';
      assert.deepEqual(
        [manifest['name'], manifest['version'], manifest['private']],
        [name, version, undefined],
      );
      assert.deepEqual(manifest['repository'], { type: 'git', directory, url });
    });

  it('have a Compose file that needs nothing else, with every image by its digest', () => {
    const { services, configs } = parse(read('docker-compose.yml'), { merge: true }) as {
      services: Record<string, { image: string; build?: unknown; volumes?: string[] }>;
      configs: Record<string, { content: string }>;
    };
    const own = new Set(Object.values(services).map(({ image }) => image));
    for (const name of IMAGES) assert.ok(own.has(`${prefix}/${name}:${version}@${digests[name]}`), name);
    for (const [name, { build, volumes = [] }] of Object.entries(services)) {
      assert.equal(build, undefined, name);
      assert.ok(!volumes.some((volume) => volume.startsWith('./')), name);
    }
    const guard = readFileSync(new URL('packages/dev/src/servers/inbox-guard.cjs', ROOT), 'utf8');
    assert.equal(configs['inbox-guard']?.content.replaceAll('$$', '$'), guard);
  });

  it('have each file of ours that docs/containers.md runs or copies', () => {
    const page = readFileSync(new URL('docs/containers.md', ROOT), 'utf8');
    const told = [...page.matchAll(/^(?:sh|cp) (?:[\w-]+\/)*(\.?[\w-]+\.\w+)/gm)].map(
      ([, name = '']) => name,
    );
    assert.deepEqual([...new Set(told)], ['.env.example', 'replace-containers.sh']);
    for (const name of told) assert.ok(existsSync(join(folder, name.replace(/^\./, ''))), name);
  });

  it('have a chart and manifests with the version and the digests', () => {
    const manifests = read('gatehouse.yaml');
    assert.match(manifests, /helm.sh\/chart: gatehouse-9\.8\.7/);
    // The hook worker is off by default.
    for (const name of IMAGES.filter((image) => image !== 'hook-worker'))
      assert.ok(manifests.includes(`${prefix}/${name}@${digests[name]}"`), name);
    assert.doesNotMatch(manifests, /gatehouse\/\w+:dev/);
  });

  it('have the OpenAPI document, and the paths for gateways of others', () => {
    assert.match(read('openapi.json'), /"\/account\/login"/);
    assert.match(read('public-paths.conf'), /account\/login/);
    assert.match(read('admin-paths.conf'), /admin\/account/);
  });

  it('have notes: what is unreleased, as the version has no section yet', () => {
    const changelog = readFileSync(new URL('CHANGELOG.md', ROOT), 'utf8');
    assert.equal(read('NOTES.md'), `${sectionOf(changelog, 'Unreleased')}\n`);
  });
});

describe('the version', () => {
  it('is in the root package.json alone, and in the OpenAPI document that is generated from it', () => {
    const text = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');
    const { version } = JSON.parse(text('package.json')) as { version: string };
    const tracked = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).split('\n');
    const manifests = tracked.filter((path) => /^(packages|services)\/.*package\.json$/.test(path));
    assert.ok(manifests.length > 20);
    const versioned = manifests.filter((path) => /^ {2}"version":/m.test(text(path)));
    assert.deepEqual(versioned, []);
    const deployed = ['deploy/helm/gatehouse/Chart.yaml', 'deploy/kubernetes/gatehouse.yaml'];
    for (const path of ['docker-compose.yml', ...deployed]) assert.ok(!text(path).includes(version), path);
    assert.ok(text('services/core/src/public-openapi.json').includes(`"version": "${version}"`));
  });
});
