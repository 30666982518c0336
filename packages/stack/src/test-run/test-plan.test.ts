import assert from 'node:assert/strict';
import { planTests } from './test-plan.ts';

describe('planTests', () => {
  it('runs everything but system and timing tests, on one worker more than there are cores', () => {
    const { runs, needsBrowser } = planTests(['--bail'], 2);
    const [{ workers, mochaArguments } = nothing, ...more] = runs;
    assert.deepEqual([workers, needsBrowser, more], [3, false, []]);
    assert.deepEqual(mochaArguments.slice(0, 3), ['--bail', '--ignore', '**/*.{system,timing}.test.ts']);
    assert.ok(mochaArguments.some((argument) => argument.startsWith('services/')));
  });

  it('runs system tests several at a time when asked, and then those that measure time one by one', () => {
    const { runs, needsBrowser } = planTests(['--system'], 2);
    const [system = nothing, timing = nothing, ...more] = runs;
    assert.deepEqual([system.workers, timing.workers, needsBrowser, more], [3, 1, false, []]);
    for (const [{ mochaArguments }, end] of [
      [system, '.system.test.ts'],
      [timing, '.timing.test.ts'],
    ] as const) {
      assert.ok(mochaArguments.length > 0 && mochaArguments.every((file) => file.endsWith(end)));
    }
  });

  it('runs only the named files, in one process', () => {
    for (const files of [['packages/a.system.test.ts'], ['services/core/src/', '--grep', 'at once']]) {
      assert.deepEqual(planTests(files, 2), {
        runs: [{ workers: 1, mochaArguments: files }],
        needsBrowser: false,
      });
    }
  });

  it('does not mistake a path in the name of a test for a file', () => {
    const { runs } = planTests(['--grep', 'POST /account/login'], 2);
    assert.equal(runs[0]?.workers, 3);
  });

  it('runs browser tests when asked, and requires a browser', () => {
    const { runs, needsBrowser } = planTests(['--browser', '--bail'], 2);
    const [{ workers, mochaArguments } = nothing, ...more] = runs;
    assert.deepEqual([workers, needsBrowser, mochaArguments[0], more], [2, true, '--bail', []]);
    assert.ok(mochaArguments.slice(1).every((file) => file.startsWith('packages/e2e/browser/')));
    assert.ok(planTests(['packages/e2e/browser/reference.test.ts'], 2).needsBrowser);
  });
});

const nothing = { workers: 0, mochaArguments: [] as string[] };
