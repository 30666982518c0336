import assert from 'node:assert/strict';
import { fieldsOf } from '@gatehouse/runtime/testing';
import { LONGEST, planTests, testFiles, type Suite } from './test-plan.ts';

const USUAL = /^(packages|services)\/(?!e2e\/browser\/).*(?<!\.(?:system|quiet|nightly|timing))\.test\.ts$/;

describe('planTests', () => {
  const browserTest = /^packages\/e2e\/browser\//;
  for (const [what, option, ...expected] of [
    ['the usual tests, on two workers more than there are cores', '--bail', [4, USUAL]],
    [
      'system tests, and those that need an idle machine one by one at the end',
      '--system',
      [4, /\.system\.test\.ts$/],
      [1, /\.quiet\.test\.ts$/],
    ],
    ['browser tests when asked, and requires a browser', '--browser', [3, browserTest]],
    [
      'nightly tests in parallel, and those that need an idle machine one by one at the end',
      '--nightly',
      [3, /\.nightly\.test\.ts$/],
      [1, /\.timing\.test\.ts$/],
    ],
  ] as const)
    it(`runs ${what}`, async () => {
      const runs = await planTests([option, '--bail'], 2);
      const facts = runs.map((run) => [run.workers, run.needsBrowser, run.mochaArguments[0]]);
      const wanted = expected.map(([workers, files]) => [workers, files === browserTest, '--bail']);
      assert.deepEqual(facts, wanted);
      for (const [at, { mochaArguments }] of runs.entries()) {
        const [, ...files] = mochaArguments;
        assert.ok(files.length > 0);
        for (const file of files) assert.match(file, expected[at]?.[1] ?? /never/);
      }
    });

  it('finds the usual tests of every folder', () => {
    for (const folder of ['packages/auth-core/src/browser/', 'packages/lab/attacks/', 'services/core/src/'])
      assert.ok(
        testFiles('usual').some((file) => file.startsWith(folder)),
        folder,
      );
  });

  it('knows no files that do not exist', () => {
    const suites: Suite[] = ['usual', 'system', 'quiet', 'browser', 'nightly', 'alone'];
    const names = suites.flatMap((suite) => testFiles(suite));
    const unknown = LONGEST.filter((file) => !names.includes(file));
    assert.deepEqual(unknown, []);
  });

  it('runs only the named files, in one process', async () => {
    for (const files of [[LONGEST[0] ?? ''], ['--grep', 'at once', 'services/core/src/']]) {
      const runs = [{ workers: 1, mochaArguments: files, needsBrowser: false }];
      for (const more of [[], ['--rerun-failed']])
        assert.deepEqual(await planTests([...files, ...more], 2), runs);
    }
  });

  it('refuses a pattern that matches no file, whatever the others match', async () => {
    const [file, pattern] = ['packages/dev/src/test-run/test.test.ts', 'packages/dev/{src,s*}/no.test.ts'];
    const named = { name: 'StackError', message: `No file matches ${pattern}` };
    await assert.rejects(planTests([file, pattern], 2), named);
    await planTests([file, 'packages/dev/{src/test-run,s*}/test.test.ts'], 2);
  });

  it('refuses an option that it does not know, and names those that it knows', async () => {
    for (const [args, reason] of [
      [['packages/a.test.ts', '--grpe', 'at once'], /'--grpe'/],
      [['--jobs=2'], /'--jobs'/],
      [['--grep'], /'-g, --grep <value>' argument missing/],
    ] as const) {
      const advice = /--grep, --bail, --system.*--help/;
      await assert.rejects(planTests(args, 2), { message: reason, advice });
    }
  });

  it('requires a browser for named files that need one', async () => {
    const runs = await planTests(['packages/e2e/browser/reference.test.ts'], 2);
    assert.deepEqual(fieldsOf(runs, 'workers', 'needsBrowser'), [[1, true]]);
  });
});
