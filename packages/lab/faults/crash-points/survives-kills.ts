import assert from 'node:assert/strict';
import { during } from '@gatehouse/runtime/testing';
import { killAtEveryStep } from './kills.ts';
import {
  copiesOf,
  interruptAtEvery,
  isErasedOnce,
  killCodeMailerAt,
  killEraserAt,
  killRelayAt,
  killWorkerAt,
} from './background-kills.ts';
import { OPERATIONS } from './operations.ts';
import { startWorld } from './world.ts';

/** More than there are steps: the tests stop after the last one. */
const EVERY = Array.from({ length: 20 }, (_, index) => index + 1);
/** The lease and the first publication. */
const RELAY_STEPS = [1, 2];
/** The first change and the commit. */
const CODE_MAILER_STEPS = [2, 6];
/** The erasure and the commit. */
const ERASER_STEPS = [1, 3];
/** The record, the claim, and a command to the mail server. */
const WORKER_STEPS = [1, 3, 7];

/** Kills services with `kill -9` between any two steps of what they do for a client. */
export function survivesKillsDuringRequests({ isWhole }: { isWhole: boolean }): void {
  const world = during(() => startWorld());

  for (const operation of OPERATIONS) {
    it(`leaves no partial state when killed during ${operation.name}`, async () => {
      const killed = await killAtEveryStep(world, operation, { isWhole });
      assert.ok(killed.kills > 2);
      // Before the codes in the mails expire.
      for (const check of killed.later) await check();
    });
  }

  it('mails committed events once', () => {
    const ids = world.sink.mails.map(({ messageId }) => messageId);
    assert.equal(ids.length, new Set(ids).size);
  });
}

/**
 * Kills services with `kill -9` between any two steps of background work: mails, and due erasures. Each step costs a
 * process, so only the most important steps are tried unless `isWhole`.
 */
export function survivesKillsInBackground({ isWhole }: { isWhole: boolean }): void {
  const world = during(() => startWorld());

  it('mails each requested code once when its process is killed', async () => {
    const steps = isWhole ? EVERY : CODE_MAILER_STEPS;
    const interrupted = await interruptAtEvery((point) => killCodeMailerAt(world, point), steps);
    const copies = await copiesOf(world, interrupted);
    assert.ok(copies.every((count) => count === 1));
  });

  it('erases an account completely or not at all when Admin is killed, and once in the end', async () => {
    const steps = isWhole ? EVERY : ERASER_STEPS;
    const interrupted = await interruptAtEvery((point) => killEraserAt(world, point), steps);
    assert.ok(interrupted.filter(({ isReached }) => isReached).length >= 4);
    for (const account of interrupted) await isErasedOnce(world, account);
  });

  it('loses no mail and repeats none when relays are killed', async () => {
    const steps = isWhole ? EVERY : RELAY_STEPS;
    const interrupted = await interruptAtEvery((point) => killRelayAt(world, point), steps);
    const copies = await copiesOf(world, interrupted);
    assert.ok(copies.every((count) => count === 1));
  });

  it('loses no mail and repeats at most one for each mail worker that is killed', async () => {
    await world.worker.kill();
    const steps = isWhole ? EVERY : WORKER_STEPS;
    const interrupted = await interruptAtEvery((point) => killWorkerAt(world, point), steps);
    await world.startWorker();
    const copies = await copiesOf(world, interrupted);
    const repeats = copies.reduce((sum, count) => sum + count - 1, 0);
    assert.ok(repeats <= interrupted.filter(({ isReached }) => isReached).length, copies.join());
    // The same Message-ID, so that a mailbox can recognise repeats.
    for (const { email } of interrupted)
      assert.equal(new Set(world.sink.mailsTo(email).map(({ messageId }) => messageId)).size, 1);
  });
}
