import assert from 'node:assert/strict';
import { activity } from '@gatehouse/db';
import { eventually } from '@gatehouse/runtime/testing';
import { startTestMailWorker, type TestMailWorker } from './testing/index.ts';

describe('the statistics of mails', () => {
  let rig: TestMailWorker;
  beforeEach(async () => {
    rig = await startTestMailWorker();
  });
  afterEach(() => rig.close());

  it('count sent and parked mails', async () => {
    rig.sink.answerTo = (address) => (address === 'none@example.com' ? [550, 'no such mailbox'] : undefined);
    await rig.startWorker();
    await rig.send();
    await rig.send({ email: 'none@example.com' });
    // A mail is counted after its row has been written.
    await eventually(async () => {
      await rig.activity.flush((counts) => activity.add(rig.db, counts));
      const sums = await activity.findSums(rig.db, { from: new Date(0), to: new Date(), interval: 'day' });
      assert.deepEqual(
        sums.map(({ kind, count }) => [kind, count]),
        [
          ['mail.parked', 1],
          ['mail.sent', 1],
        ],
      );
      return true;
    });
  });
});
