import { strict as assert } from 'node:assert';
import { rerunFailed, type TestFailure, type Totals } from './run-mocha.ts';

const GREEN: Totals = { passed: 3, failed: 0, failures: [] };

describe('running failed test files again', () => {
  it('counts tests as flaky if their file passes by itself, and as failed otherwise', async () => {
    const [once, twice] = [failure('once.test.ts'), failure('twice.test.ts')];
    const asked: (readonly string[])[] = [];
    const totals = await rerunFailed({ passed: 10, failed: 3, failures: [once, twice, twice] }, (files) => {
      asked.push(files);
      return Promise.resolve({ passed: 5, failed: 1, failures: [twice] });
    });
    assert.deepEqual(asked, [['once.test.ts', 'twice.test.ts']]);
    assert.deepEqual(totals, { passed: 11, failed: 2, failures: [twice, twice], flaky: [once] });
  });

  it('runs nothing again without failures, after a crash, or if more than six files failed', async () => {
    const many = Array.from('abcdefg', (name) => failure(`${name}.test.ts`));
    for (const totals of [
      GREEN,
      { passed: 0, failed: 1, failures: [] },
      { passed: 1, failed: 2, failures: [failure('one.test.ts')] },
      { passed: 1, failed: 7, failures: many },
    ])
      assert.deepEqual(await rerunFailed(totals, () => assert.fail('ran again')), { ...totals, flaky: [] });
  });

  it('keeps the failures if the second run crashes', async () => {
    const totals = { passed: 1, failed: 1, failures: [failure('one.test.ts')] };
    const crashed = { passed: 0, failed: 1, failures: [] };
    assert.deepEqual(await rerunFailed(totals, () => Promise.resolve(crashed)), { ...totals, flaky: [] });
  });
});

function failure(file: string): TestFailure {
  return { file, name: `the test of ${file}`, reason: 'expected 1, got 2' };
}
