import assert from 'node:assert/strict';
import { during, eventually } from '@gatehouse/runtime/testing';
import { withoutAccount } from '../database.ts';
import { startFaultWorld } from './fault-world.ts';
import { loadFixtures } from './load.ts';
import { everyFault } from './kinds.ts';
import { runFault, type Stage, recover } from './run-fault.ts';

const SHORT_SECONDS = 1.5;

/** With `sample`, only the faults whose name matches, and for a shorter time. */
export function survivesFaults(sample?: RegExp): void {
  const stage = during(async () => {
    const world = await startFaultWorld();
    return { world, fixtures: await loadFixtures(world), stop: () => world.stop() };
  });

  for (const fault of everyFault(stage)) {
    if (sample?.test(fault.name) === false) continue;
    const seconds =
      sample === undefined ? fault.seconds : Math.min(SHORT_SECONDS, fault.seconds ?? SHORT_SECONDS);
    it(`responds, loses nothing and recovers: ${fault.name}`, () =>
      runFault(stage, { ...fault, ...(seconds !== undefined && { seconds }) }));
  }
  keepsWhatWasAcknowledged(stage);
  if (sample === undefined) startsInAnyOrder(stage);
}

const SERVICES = ['core', 'portal', 'admin', 'mail-worker'];
const READY_MS = 10_000;

/** Starts the services before their servers, in several orders. */
function startsInAnyOrder(stage: Stage): void {
  for (const order of [
    ['rabbitmq', 'redis', 'postgres'],
    ['postgres', 'rabbitmq', 'redis'],
  ]) {
    it(`services started before ${order.join(', ')} work within 10 s of the last of them`, async () => {
      const { stack } = stage.world;
      await Promise.all([...SERVICES, ...order].map((name) => stack.hold(name)));
      const services = SERVICES.map((name) => stack.release(name));
      for (const name of order) await stack.release(name);
      const recoveryMs = await recover(stage.world);
      await Promise.all(services);
      assert.ok(recoveryMs < READY_MS, `${recoveryMs} ms`);
    });
  }
}

/** A mail that was interrupted by a fault waits for its next try. */
const LAST_MAIL_SECONDS = 90;

/** Everything that was answered with a 2xx exists, whatever was broken at the time, and everyone got their mail. */
function keepsWhatWasAcknowledged(stage: Stage): void {
  it('every acknowledged registration has an account and a mail', async function () {
    this.timeout((LAST_MAIL_SECONDS + 30) * 1000);
    const { world, fixtures } = stage;
    const emails = fixtures.acknowledged;
    assert.ok(emails.length > 20, `${emails.length} registrations`);
    assert.deepEqual(await withoutAccount(world.stack.facts.databaseUrl, emails), []);
    await eventually(() => {
      const mailed = new Set(world.sink.mails.map(({ to }) => to));
      assert.deepEqual(
        emails.filter((email) => !mailed.has(email)),
        [],
      );
      return true;
    }, LAST_MAIL_SECONDS);
    const { mails } = world.sink;
    const repeats = mails.filter(
      ({ messageId }, index) => mails.findIndex((one) => one.messageId === messageId) < index,
    );
    // Delivered at least once, normally exactly once. A repeat is expected only if the reply was lost or a fault broke
    // the connection meanwhile.
    const lost = new Set(mails.filter(({ isAnswered }) => !isAnswered).map(({ messageId }) => messageId));
    const unexplained = repeats.filter(({ messageId }) => !lost.has(messageId));
    assert.ok(
      unexplained.length <= mails.length / 50,
      `${unexplained.length} of ${mails.length} mails came again`,
    );
  });
}
