import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readComposeFile } from './compose-file.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const recipe = readFileSync(join(ROOT, 'deploy/trial/Dockerfile'), 'utf8');
const ignored = readFileSync(join(ROOT, 'deploy/trial/Dockerfile.dockerignore'), 'utf8').split('\n');
const lines = (name: string): string[][] =>
  recipe
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([first]) => first === name)
    .map(([, ...words]) => words);

describe('deploy/trial/Dockerfile', () => {
  it('copies only what is there and not ignored', () => {
    const copied = lines('COPY').flatMap((words) => words.slice(0, -1));
    assert.ok(copied.includes('packages'));
    for (const path of copied) {
      assert.ok(existsSync(join(ROOT, path)), path);
      assert.ok(ignored.includes(`!${path}`), path);
    }
  });

  it('starts from the same Node, and installs with the same pnpm', () => {
    const { build } = readComposeFile().services['core'] ?? {};
    assert.deepEqual(lines('ARG')[0], [`NODE_IMAGE=${build?.args['NODE_IMAGE']}`]);
    const { packageManager } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      packageManager: string;
    };
    assert.ok(recipe.includes(`npx -y ${packageManager} install`));
  });

  it('runs as the user who owns its volume, and tells to open its ports to this machine alone', () => {
    assert.deepEqual([lines('USER'), lines('VOLUME')], [[['node']], [['/app/.local']]]);
    assert.ok(recipe.indexOf('install -d -o node -g node .local') < recipe.indexOf('\nUSER node'));
    assert.match(recipe, /\nWORKDIR \/app\n[^]*install -d -o node -g node \.local\n/);
    for (const text of [recipe, readFileSync(join(ROOT, 'README.md'), 'utf8')]) {
      const opened = [...text.matchAll(/ -p (\d\S+)/g)].map(([, port = '']) => port);
      assert.ok(opened.length >= 4);
      for (const port of opened) assert.match(port, /^127\.0\.0\.1:/);
    }
  });

  it('says on pages and in mails that it is a trial', () => {
    const [, path = ''] = /BRAND_FILE=\/app\/(\S+)/.exec(recipe) ?? [];
    const { Name } = JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as { Name: string };
    assert.match(Name, /trial/);
  });
});
