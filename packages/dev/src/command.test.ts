import assert from 'node:assert/strict';
import { Cancelled, printProgress } from './command.ts';

describe('printProgress', () => {
  const fails = (error: Error) => () => Promise.reject(error);

  it('marks failed steps, but not cancelled ones', async () => {
    const lines: string[] = [];
    const calledOff = new AbortController();
    const { step } = printProgress((text) => lines.push(text), calledOff.signal);
    await step('one', () => Promise.resolve());
    await assert.rejects(step('two', fails(new Error('it broke'))));
    await assert.rejects(step('three', fails(new Cancelled())));
    calledOff.abort();
    await assert.rejects(step('four', fails(new Error('its server was stopped'))));
    assert.deepEqual(
      lines.map((line) => line.slice(0, 6).trim()),
      ['✓ one', '✗ two'],
    );
  });
});
