import assert from 'node:assert/strict';
import { planTests } from './test-plan.ts';

describe('planTests', () => {
  it('runs everything but system tests, on one worker more than there are cores', () => {
    const { workers, mochaArguments } = planTests(['--bail'], 2);
    assert.equal(workers, 3);
    assert.deepEqual(mochaArguments.slice(0, 3), ['--bail', '--ignore', '**/*.system.test.ts']);
    assert.ok(mochaArguments.some((argument) => argument.startsWith('services/')));
  });

  it('runs system tests alone when asked, one file at a time', () => {
    const { workers, mochaArguments } = planTests(['--system'], 2);
    assert.equal(workers, 1);
    assert.ok(mochaArguments.length > 0 && mochaArguments.every((file) => file.endsWith('.system.test.ts')));
  });

  it('runs files that are named in one process, and nothing else', () => {
    for (const files of [['packages/a.system.test.ts'], ['services/core/src/', '--grep', 'at once']]) {
      assert.deepEqual(planTests(files, 2), { workers: 1, mochaArguments: files, needsBrowser: false });
    }
  });

  it('runs what drives a browser when asked, and asks for one', () => {
    const { workers, mochaArguments, needsBrowser } = planTests(['--browser', '--bail'], 2);
    assert.deepEqual([workers, needsBrowser, mochaArguments[0]], [2, true, '--bail']);
    assert.ok(mochaArguments.slice(1).every((file) => file.startsWith('packages/e2e/browser/')));
    assert.ok(planTests(['packages/e2e/browser/reference.test.ts'], 2).needsBrowser);
    assert.ok(!planTests([], 2).needsBrowser && !planTests(['--system'], 2).needsBrowser);
  });
});
