import assert from 'node:assert/strict';
import { LONGEST, planTests, testFiles, type Suite } from './test-plan.ts';

describe('planTests', () => {
  it('runs the usual tests, on two workers more than there are cores', () => {
    const [{ workers, mochaArguments, needsBrowser } = nothing, ...more] = planTests(['--bail'], 2).runs;
    assert.deepEqual([workers, needsBrowser, more], [4, false, []]);
    const [option, ...files] = mochaArguments;
    assert.equal(option, '--bail');
    assert.ok(files.every((file) => /^(packages|services)\/.*\.test\.ts$/.test(file)));
    assert.ok(files.every((file) => !/\.(system|quiet|nightly|timing)\.|e2e\/browser\//.test(file)));
    for (const folder of ['packages/auth-core/src/browser/', 'packages/lab/attacks/', 'services/core/src/'])
      assert.ok(
        files.some((file) => file.startsWith(folder)),
        folder,
      );
  });

  it('runs nightly tests in parallel, and those that need an idle machine one by one at the end', () => {
    const { runs } = planTests(['--nightly'], 2);
    const [nightly = nothing, alone = nothing, ...more] = runs;
    assert.deepEqual([nightly.workers, alone.workers, more], [3, 1, []]);
    assert.ok(runs.every(({ needsBrowser }) => !needsBrowser));
    assert.ok(nightly.mochaArguments.every((file) => file.endsWith('.nightly.test.ts')));
    assert.ok(alone.mochaArguments.every((file) => file.endsWith('.timing.test.ts')));
  });

  it('knows no files that do not exist', () => {
    const suites: Suite[] = ['usual', 'system', 'quiet', 'browser', 'nightly', 'alone'];
    const names = suites.flatMap((suite) => testFiles(suite));
    const unknown = LONGEST.filter((file) => !names.includes(file));
    assert.deepEqual(unknown, []);
  });

  it('runs only the named files, in one process', () => {
    for (const files of [['packages/a.system.test.ts'], ['--grep', 'at once', 'services/core/src/']]) {
      const runs = [{ workers: 1, mochaArguments: files, needsBrowser: false }];
      assert.deepEqual(planTests(files, 2), { runs, rerunsFailed: false });
      assert.deepEqual(planTests([...files, '--rerun-failed'], 2), { runs, rerunsFailed: true });
    }
  });

  it('refuses an option that it does not know, and names those that it knows', () => {
    for (const [args, reason] of [
      [['packages/a.test.ts', '--grpe', 'at once'], /'--grpe'/],
      [['--jobs=2'], /'--jobs'/],
      [['--grep'], /'-g, --grep <value>' argument missing/],
    ] as const) {
      assert.throws(() => planTests(args, 2), {
        message: reason,
        advice: /--grep, --bail, --system.*--help/,
      });
    }
  });

  it('runs browser tests when asked, and requires a browser', () => {
    const { runs } = planTests(['--browser', '--bail'], 2);
    const [{ workers, mochaArguments, needsBrowser } = nothing, ...more] = runs;
    assert.deepEqual([workers, needsBrowser, mochaArguments[0], more], [3, true, '--bail', []]);
    assert.ok(mochaArguments.slice(1).every((file) => file.startsWith('packages/e2e/browser/')));
    const [named = nothing] = planTests(['packages/e2e/browser/reference.test.ts'], 2).runs;
    assert.deepEqual([named.workers, named.needsBrowser], [1, true]);
  });

  it('runs system tests that need an idle machine one by one at the end', () => {
    const [system = nothing, quiet = nothing, ...more] = planTests(['--system'], 2).runs;
    assert.deepEqual([system.workers, quiet.workers, more], [4, 1, []]);
    assert.ok(quiet.mochaArguments.length > 0);
    assert.ok(system.mochaArguments.every((file) => !file.includes('.quiet.')));
    assert.ok(quiet.mochaArguments.every((file) => file.endsWith('.quiet.test.ts')));
  });
});

const nothing = { workers: 0, mochaArguments: [] as string[], needsBrowser: false };
