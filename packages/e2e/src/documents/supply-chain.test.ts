import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readPart } from '@gatehouse/codegen';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const KINDS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'] as const;

interface Package {
  license?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const read = (path: string): Package => JSON.parse(readFileSync(path, 'utf8')) as Package;

/** The folders of all packages of this repository. */
function folders(): string[] {
  const below = (folder: string) => readdirSync(join(root, folder)).map((name) => join(folder, name));
  return ['.', ...below('packages'), ...below('services'), 'packages/e2e/bench'].filter((folder) =>
    existsSync(join(root, folder, 'package.json')),
  );
}

describe('docs/supply-chain.md', () => {
  const listed = [
    ...readPart('docs/supply-chain.md', 'dependencies').matchAll(/`([^`]+)`(?:\s+\(([^)]+)\))?/g),
  ];
  const documented = new Map(listed.map(([, name = '', licence = 'MIT']) => [name, licence]));
  /** Every direct external dependency, with the licence in its package.json. */
  const used = new Map<string, string | undefined>();
  for (const folder of folders()) {
    const about = read(join(root, folder, 'package.json'));
    for (const [name, version] of KINDS.flatMap((kind) => Object.entries(about[kind] ?? {}))) {
      if (version.startsWith('workspace:')) continue;
      const installed = join(root, folder, 'node_modules', name, 'package.json');
      used.set(name, existsSync(installed) ? read(installed).license : used.get(name));
    }
  }

  it('lists each dependency once, and no other', () => {
    assert.ok(used.size > 40);
    assert.equal(listed.length, documented.size);
    assert.deepEqual([...documented.keys()].toSorted(), [...used.keys()].toSorted());
  });

  it('names the licence that each has', () => {
    for (const [name, licence] of documented) assert.equal(licence, used.get(name), name);
  });
});
