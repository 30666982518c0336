import assert from 'node:assert/strict';
import { connectDb, migrate, query } from '@gatehouse/db';
import { tellPostgres } from './servers.ts';
import { recover, type Stage } from './spell.ts';

const SERVICES = ['core', 'portal', 'admin', 'mail-worker'];
const READY_MS = 10_000;

/** Starts in orders that nobody planned. */
export function startsInAnyOrder(given: () => Stage): void {
  for (const order of [
    ['rabbitmq', 'redis', 'postgres'],
    ['postgres', 'rabbitmq', 'redis'],
  ]) {
    it(`services that start before ${order.join(', ')} work within 10 s of the last of them`, async () => {
      const { stack } = given().world;
      await Promise.all([...SERVICES, ...order].map((part) => stack.hold(part)));
      const services = SERVICES.map((part) => stack.release(part));
      for (const part of order) await stack.release(part);
      const recoveryMs = await recover(given().world);
      await Promise.all(services);
      given().report.say(
        `started before ${order.join(', ')}: work ${Math.round(recoveryMs)} ms after the last`,
      );
      assert.ok(recoveryMs < READY_MS, `${recoveryMs} ms`);
    });
  }

  it('five that start at once on an empty database apply each migration once', async () => {
    const { world } = given();
    await tellPostgres(world, 'create database five owner gatehouse');
    const url = new URL(world.stack.facts.databaseUrl);
    url.pathname = '/five';
    const dbs = Array.from({ length: 5 }, (_, index) =>
      connectDb({ url: url.href, applicationName: `five-${index}`, poolMax: 1, isPatient: true }),
    );
    try {
      const applied = await Promise.all(dbs.map((db) => migrate(db)));
      const [first] = dbs;
      assert.ok(first);
      const names = await query<{ name: string }>(first, 'select name from migration');
      assert.deepEqual(applied.flat().toSorted(), names.map(({ name }) => name).toSorted());
      assert.ok(names.length > 5);
    } finally {
      await Promise.all(dbs.map((db) => db.destroy()));
    }
  });
}
