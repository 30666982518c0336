import assert from 'node:assert/strict';
import { LONGEST, testFiles, TWO_AT_A_TIME } from './test-files.ts';
import { planTests } from './test-plan.ts';

describe('planTests', () => {
  it('runs everything but system and timing tests, on two workers more than there are cores', () => {
    const [{ workers, mochaArguments, needsBrowser } = nothing, ...more] = planTests(['--bail'], 2).runs;
    assert.deepEqual([workers, needsBrowser, more], [4, false, []]);
    const [option, ...files] = mochaArguments;
    assert.equal(option, '--bail');
    assert.ok(files.every((file) => /^(packages|services)\/.*\.test\.ts$/.test(file)));
    assert.ok(files.every((file) => !/\.(system|timing)\.|e2e\/browser/.test(file)));
    for (const folder of ['packages/auth-core/src/browser/', 'packages/e2e/attacks/', 'services/core/src/'])
      assert.ok(
        files.some((file) => file.startsWith(folder)),
        folder,
      );
  });

  it('begins with the files that take longest, so that none of them is waited for alone', () => {
    const [{ mochaArguments: system } = nothing] = planTests(['--system'], 2).runs;
    assert.deepEqual(system.slice(0, 2), [
      'packages/e2e/src/crashes/crash-points.system.test.ts',
      'packages/e2e/attacks/attacks.system.test.ts',
    ]);
    const [{ mochaArguments: browser } = nothing] = planTests(['--browser'], 2).runs;
    assert.equal(browser[0], 'packages/e2e/browser/apps/client-tabs.test.ts');
  });

  it('runs system tests in parallel, and then timing tests, some two at a time and the others one by one', () => {
    const { runs } = planTests(['--system'], 2);
    const [system = nothing, pairs = nothing, alone = nothing, ...more] = runs;
    assert.deepEqual([system.workers, pairs.workers, alone.workers, more], [4, 2, 1, []]);
    assert.ok(runs.every(({ needsBrowser }) => !needsBrowser));
    for (const [{ mochaArguments }, end] of [
      [system, '.system.test.ts'],
      [pairs, '.timing.test.ts'],
      [alone, '.timing.test.ts'],
    ] as const) {
      assert.ok(mochaArguments.length > 0 && mochaArguments.every((file) => file.endsWith(end)));
    }
    const timing = [...pairs.mochaArguments, ...alone.mochaArguments];
    assert.deepEqual(timing.toSorted(), testFiles('timing').toSorted());
  });

  it('knows no files that do not exist', () => {
    const names = (['usual', 'system', 'timing', 'browser'] as const).flatMap((suite) => testFiles(suite));
    assert.deepEqual(
      [...LONGEST, ...TWO_AT_A_TIME].filter((file) => !names.includes(file)),
      [],
    );
  });

  it('runs only the named files, in one process', () => {
    for (const files of [['packages/a.system.test.ts'], ['services/core/src/', '--grep', 'at once']]) {
      assert.deepEqual(planTests(files, 2), {
        runs: [{ workers: 1, mochaArguments: files, needsBrowser: false }],
        rerunsFailed: false,
      });
    }
  });

  it('runs failed files again only if asked to', () => {
    for (const args of [
      ['--rerun-failed'],
      ['--system', '--rerun-failed'],
      ['--browser', '--rerun-failed'],
    ]) {
      const { runs, rerunsFailed } = planTests(args, 2);
      assert.ok(
        rerunsFailed && runs.every(({ mochaArguments }) => !mochaArguments.includes('--rerun-failed')),
      );
      assert.equal(planTests(args.slice(0, -1), 2).rerunsFailed, false);
    }
  });

  it('does not mistake a path in the name of a test for a file', () => {
    const { runs } = planTests(['--grep', 'POST /account/login'], 2);
    assert.equal(runs[0]?.workers, 4);
  });

  it('runs browser tests when asked, and requires a browser', () => {
    const [{ workers, mochaArguments, needsBrowser } = nothing, ...more] = planTests(
      ['--browser', '--bail'],
      2,
    ).runs;
    assert.deepEqual([workers, needsBrowser, mochaArguments[0], more], [3, true, '--bail', []]);
    assert.ok(mochaArguments.slice(1).every((file) => file.startsWith('packages/e2e/browser/')));
    const [named = nothing] = planTests(['packages/e2e/browser/reference.test.ts'], 2).runs;
    assert.deepEqual([named.workers, named.needsBrowser], [1, true]);
  });

  it('runs all suites on request, timing tests last, when no browser is open any more', () => {
    const { runs } = planTests(['--all', '--bail'], 2);
    const [usual = nothing, system = nothing, browser = nothing, ...timing] = runs;
    assert.deepEqual(
      [[usual], [system, ...timing], [browser]],
      [[], ['--system'], ['--browser']].map((suite) => planTests([...suite, '--bail'], 2).runs),
    );
  });
});

const nothing = { workers: 0, mochaArguments: [] as string[], needsBrowser: false };
