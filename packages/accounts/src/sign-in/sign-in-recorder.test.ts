import assert from 'node:assert/strict';
import type { NewSignIn } from '@gatehouse/db';
import { eventually, fieldsOf, testLog } from '@gatehouse/runtime/testing';
import { createSignInRecorder, type SignInAttempt } from './sign-in-recorder.ts';

const ATTEMPT: SignInAttempt = { method: 'Password', address: '192.0.2.1', traceId: 'a' };

describe('the recorder of sign-ins', () => {
  let now = 0;
  let log = testLog();
  let recorder = createSignInRecorder({ log, now: () => now });
  beforeEach(() => {
    now = Date.UTC(2026, 0, 1);
    log = testLog();
    recorder = createSignInRecorder({ log, now: () => now });
  });

  const flush = async (isLast = false): Promise<NewSignIn[]> => {
    const saved: NewSignIn[] = [];
    await recorder.flush(async (rows) => void saved.push(...rows), { isLast });
    return saved;
  };
  const refuse = (times: number, changes: Partial<SignInAttempt> = {}) => {
    for (let count = 0; count < times; count += 1) recorder.refused({ ...ATTEMPT, ...changes }, 'password');
  };
  const countsOf = (rows: readonly NewSignIn[]) => rows.map(({ count }) => count);

  it('writes each sign-in once, with its age', async () => {
    recorder.succeeded(ATTEMPT);
    now += 1500;
    recorder.secondFactorAsked(ATTEMPT);
    const rows = await flush();
    assert.deepEqual(fieldsOf(rows, 'result', 'ageSeconds'), [
      ['Succeeded', 1.5],
      ['SecondFactorAsked', 0],
    ]);
    assert.deepEqual(await flush(), []);
  });

  it('limits the rows of an address in a minute, IPv6 by its range, but no successes', async () => {
    const range = '2001:db8:0:1::/64';
    for (const address of ['2001:db8:0:1::1', '2001:db8:0:1::2'])
      refuse(15, { address, addressGroup: range });
    refuse(1);
    for (let count = 0; count < 30; count += 1) recorder.succeeded(ATTEMPT);
    assert.equal((await flush()).length, 20 + 1 + 30);
    now += 60_000;
    assert.deepEqual(countsOf(await flush()), [10]);
    refuse(1, { address: '2001:db8:0:1::1', addressGroup: range });
    assert.deepEqual(countsOf(await flush()), [1]);
  });

  it('writes the number of further attempts when the address tries again in the next minute, and at the end', async () => {
    refuse(23);
    now += 60_000;
    refuse(22);
    const repeated = countsOf(await flush()).filter((count) => count > 1);
    assert.deepEqual(repeated, [3]);
    assert.deepEqual(countsOf(await flush(true)), [2]);
    assert.deepEqual(await flush(true), []);
  });

  it('drops what cannot be saved, and more than five thousand, and logs how many', async () => {
    refuse(2);
    await recorder.flush(() => Promise.reject(new Error('no database')));
    assert.deepEqual(await flush(), []);
    for (let count = 0; count < 5002; count += 1) recorder.succeeded(ATTEMPT);
    assert.equal((await flush()).length, 5000);
    await eventually(() => log.lines.length === 2);
    assert.deepEqual(fieldsOf(log.lines, 'message', 'count'), [
      ['sign-ins were not recorded', 2],
      ['sign-ins were not recorded: too many at once', 2],
    ]);
  });

  it('limits the number of addresses that it remembers for a minute', async () => {
    for (let count = 0; count < 5003; count += 1) refuse(1, { address: `10.0.${count >> 8}.${count & 255}` });
    assert.equal((await flush()).length, 5000);
    now += 60_000;
    await flush();
    refuse(1, { address: '192.0.2.9' });
    assert.equal((await flush()).length, 1);
  });

  it('records no address that Postgres would refuse', async () => {
    refuse(1, { address: '' });
    refuse(1, { address: 'unknown' });
    assert.deepEqual(fieldsOf(await flush(), 'address'), [undefined, undefined]);
  });
});
