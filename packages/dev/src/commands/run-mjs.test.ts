import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { testFolder } from '@gatehouse/runtime/testing';
import { ROOT } from '../command.ts';

/** The names of the commands in the root package.json. */
const COMMANDS = Object.keys(
  (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object }).scripts,
);

describe('run.mjs in a clone without packages, in a folder with a space and an umlaut', () => {
  const clone = join(testFolder('run-'), 'a clöne of Gatehouse');

  before(() => {
    const sources = ['build', 'codegen', 'dev'].map((name) => `packages/${name}/src`);
    const more = [
      'packages/e2e/browser/screenshots',
      'packages/lab/bench',
      'services/tools/src',
      'examples/faces',
      'docs/site/build.mjs',
    ];
    for (const path of ['package.json', 'packages/dev/run.mjs', ...sources, ...more]) {
      mkdirSync(dirname(join(clone, path)), { recursive: true });
      const filter = (file: string): boolean => !file.includes('node_modules');
      cpSync(join(ROOT, path), join(clone, path), { recursive: true, filter });
    }
  });

  // Without PATH nothing can be installed.
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [join(clone, 'packages/dev/run.mjs'), ...args], {
      encoding: 'utf8',
      timeout: 15_000,
      env: { PATH: '' },
    });

  for (const command of COMMANDS) {
    for (const words of [['--help'], ['--bail', '-h']])
      it(`shows the help of ${command} with ${words.join(' ')}, and does nothing`, () => {
        const { status, stdout, stderr } = run(command, ...words);
        assert.deepEqual([status, stderr], [0, '']);
        assert.match(stdout, new RegExp(`(npm |npm run |^  )${command}\\b`, 'm'));
        assert.doesNotMatch(stdout, /installing/);
      });
  }

  it('names unknown arguments', () => {
    for (const command of ['servers', 'openapi', 'migrate']) {
      const { status, stderr } = run(command, '--fix');
      assert.deepEqual([status, /takes no .*--fix/.test(stderr)], [1, true], command);
    }
    const { status, stderr } = run('strat');
    assert.deepEqual([status, stderr.trim()], [1, 'Unknown command "strat".']);
  });
});
