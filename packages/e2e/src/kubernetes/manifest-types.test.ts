import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT, VALUE_FILES } from '@gatehouse/codegen';
import { manifestsOf, readManifests, type Manifest } from './manifests.ts';

const root = fileURLToPath(ROOT);
/** The module of kubernetes-types for each API version. */
const MODULES: Record<string, string> = {
  v1: 'core/v1',
  'apps/v1': 'apps/v1',
  'batch/v1': 'batch/v1',
  'policy/v1': 'policy/v1',
  'autoscaling/v2': 'autoscaling/v2',
  'networking.k8s.io/v1': 'networking/v1',
};
/** These are not part of Kubernetes itself. */
const CUSTOM = ['monitoring.coreos.com/v1', 'gateway.networking.k8s.io/v1'];
const OPTIONS = [
  '--noEmit',
  '--strict',
  '--skipLibCheck',
  '--module',
  'esnext',
  '--moduleResolution',
  'bundler',
];

describe('the manifests of the chart', function () {
  this.timeout(60_000);
  let folder: string;
  // In a folder of the package, where the types can be resolved.
  before(
    () => (folder = mkdtempSync(fileURLToPath(new URL('../../node_modules/.manifests-', import.meta.url)))),
  );
  after(() => rmSync(folder, { recursive: true }));

  it('match the types of Kubernetes', () => {
    const all = [
      ...VALUE_FILES.flatMap(manifestsOf),
      ...readManifests('deploy/kubernetes/gatehouse.yaml'),
    ].filter(({ apiVersion }) => !CUSTOM.includes(apiVersion));
    assert.ok(all.length > 100);
    assert.equal(faultsIn(all), '');
  });

  it('have unique names', () => {
    for (const values of VALUE_FILES) {
      const names = manifestsOf(values).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
      assert.equal(new Set(names).size, names.length, values);
      for (const { metadata } of manifestsOf(values)) assert.match(metadata.name, /^[a-z0-9-]{1,63}$/);
    }
  });

  /** The errors of the compiler for the manifests as literals. */
  function faultsIn(manifests: Manifest[]): string {
    const lines = manifests.map(({ apiVersion, kind, ...rest }, at) => {
      const module = MODULES[apiVersion];
      assert.ok(module, apiVersion);
      const literal = JSON.stringify({ apiVersion, kind, ...rest });
      return `export const m${at}: import('kubernetes-types/${module}').${kind} = ${literal};\n`;
    });
    const file = join(folder, 'manifests.ts');
    writeFileSync(file, lines.join(''));
    try {
      return execFileSync(join(root, 'node_modules/.bin/tsc'), [...OPTIONS, '--ignoreConfig', file], {
        encoding: 'utf8',
        cwd: folder,
      });
    } catch (error) {
      // The process has ended with 1 or 2.
      return (error as { stdout: string }).stdout;
    }
  }
});
