import assert from 'node:assert/strict';
import { recover, type Stage } from '../run-fault.ts';

const SERVICES = ['core', 'portal', 'admin', 'mail-worker'];
const READY_MS = 10_000;

/** Starts the services before their servers, in several orders. */
export function startsInAnyOrder(given: () => Stage): void {
  for (const order of [
    ['rabbitmq', 'redis', 'postgres'],
    ['postgres', 'rabbitmq', 'redis'],
  ]) {
    it(`services started before ${order.join(', ')} work within 10 s of the last of them`, async () => {
      const { stack } = given().world;
      await Promise.all([...SERVICES, ...order].map((name) => stack.hold(name)));
      const services = SERVICES.map((name) => stack.release(name));
      for (const name of order) await stack.release(name);
      const recoveryMs = await recover(given().world);
      await Promise.all(services);
      assert.ok(recoveryMs < READY_MS, `${recoveryMs} ms`);
    });
  }
}
