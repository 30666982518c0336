import assert from 'node:assert/strict';
import { endings, eventually, fieldsOf, testLog, testServers } from '@gatehouse/runtime/testing';
import { createFailureCounters, type Admission } from './failure-counters.ts';
import { openRedis, type Redis } from '@gatehouse/redis';

describe('createFailureCounters', () => {
  const atEnd = endings();
  const counters = (urls = testServers().redisUrl, failuresMax = 8) => {
    const log = testLog();
    const redis = openRedis({ urls, isCluster: false, log });
    atEnd(() => redis.disconnect());
    let local = 0;
    const many: string[] = [];
    const failures = createFailureCounters({
      ...{ name: 'test', redis, failuresMax, windowSeconds: 60, checkSeconds: 1, log },
      onLocal: () => (local += 1),
      onManySubjects: (address) => many.push(address),
    });
    return { redis, failures, log, counted: () => local, many };
  };
  const connected = async (failuresMax?: number) => {
    const made = counters(undefined, failuresMax);
    await eventually(() => made.redis.ping().then(() => true));
    return made;
  };
  /** The same server, but its answers to settled attempts are lost. */
  const answerless = (server: Redis | undefined) =>
    server &&
    new Proxy(server, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (name !== 'settleAttempt') return value;
        const call = value as (...values: string[]) => Promise<unknown>; // defined by scriptsOn
        return async (...values: string[]) => {
          await call.apply(target, values);
          throw new Error('the answer was lost');
        };
      },
    });
  const nowhere = 'redis://127.0.0.1:9';
  const some = () => `198.51.100.${Math.random()}`;
  const settle = async (admission: Admission, failed: boolean, about?: string): Promise<void> => {
    assert.ok(admission.admitted);
    await admission.settle(failed, about);
  };

  it('counts in Redis across processes, and logs nothing', async () => {
    const [one, two] = [await connected(), await connected()];
    const address = some();
    const admissions = [];
    for (let turn = 0; turn < 12; turn++)
      admissions.push(await (turn % 2 === 0 ? one : two).failures.admit(address));
    assert.equal(admissions.filter(({ admitted }) => admitted).length, 8);
    assert.deepEqual([one.counted(), two.counted()], [0, 0]);
  });

  it('admits as many concurrent checks as failures remain, and counts those that failed', async () => {
    const { failures } = await connected();
    const address = some();
    const burst = await Promise.all(Array.from({ length: 50 }, () => failures.admit(address)));
    const admitted = burst.filter((admission) => admission.admitted);
    assert.equal(admitted.length, 8);
    assert.ok(burst.every((admission) => admission.admitted || admission.wait));
    await Promise.all(admitted.map((admission, turn) => settle(admission, turn < 5)));
    const next = await Promise.all(Array.from({ length: 50 }, () => failures.admit(address)));
    assert.equal(next.filter((admission) => admission.admitted).length, 3);
  });

  it('discards checks whose process died, even if the address is busy', async () => {
    const { failures } = await connected();
    const address = some();
    for (let lost = 0; lost < 3; lost++) assert.ok((await failures.admit(address)).admitted);
    await eventually(async () => {
      await settle(await failures.admit(address), false);
      const all = await Promise.all(Array.from({ length: 8 }, () => failures.admit(address)));
      for (const admission of all) if (admission.admitted) await admission.settle(false);
      return all.every(({ admitted }) => admitted);
    }, 5);
  });

  it('counts a failure of a check that took too long', async () => {
    const { failures } = await connected(1);
    const address = some();
    const late = await failures.admit(address);
    const next = await eventually(async () => {
      const admission = await failures.admit(address);
      return admission.admitted && admission;
    }, 5);
    await settle(late, true);
    await next.settle(false);
    const refused = await failures.admit(address);
    assert.ok(!refused.admitted && !refused.wait);
  });

  it('without Redis, counts to a quarter of the limit per process, warns once and reports each attempt', async () => {
    const { failures, log, counted } = counters(nowhere);
    const address = some();
    const admissions: Admission[] = [];
    for (let turn = 0; turn < 6; turn++) admissions.push(await failures.admit(address));
    assert.deepEqual(fieldsOf(admissions, 'admitted'), [true, true, false, false, false, false]);
    assert.ok(admissions[0]);
    await settle(admissions[0], false);
    assert.equal((await failures.admit(address)).admitted, true);
    assert.equal(counted(), 7);
    const warnings = await eventually(() => {
      const found = log.lines.filter(({ message }) =>
        String(message).startsWith('redis unavailable, counting failures'),
      );
      return found.length > 0 && found;
    });
    assert.deepEqual(fieldsOf(warnings, 'level', 'counter'), [['warn', 'test']]);
  });

  it('remembers an address without Redis, even after many others', async () => {
    const { failures } = counters(nowhere);
    const addresses = Array.from({ length: 11_000 }, some);
    for (const address of addresses) await failures.admit(address);
    const recent = addresses.at(-9000) ?? '';
    await failures.admit(recent);
    assert.equal((await failures.admit(recent)).admitted, false);
  });

  it('keeps all failures that could not be written to Redis', async () => {
    const { redis, failures } = await connected();
    const address = some();
    const admissions = [await failures.admit(address), await failures.admit(address)];
    redis.disconnect();
    for (const admission of admissions) await settle(admission, true);
    assert.equal((await failures.admit(address)).admitted, false);
  });

  for (const where of ['in Redis', 'without Redis'] as const)
    it(`reports an address once that fails for twenty accounts, ${where}`, async () => {
      const { failures, many } = where === 'in Redis' ? await connected(100) : counters(nowhere, 100);
      const [sprayed, mistyped, lucky] = [some(), some(), some()];
      for (let turn = 0; turn < 22; turn++) {
        await settle(await failures.admit(sprayed), true, `person${turn}`);
        await settle(await failures.admit(mistyped), true, `person${turn % 19}`);
        await settle(await failures.admit(lucky), false, `person${turn}`);
      }
      assert.deepEqual(many, [sprayed]);
    });

  it('reports it once also if Redis was away for some of the failures, before or after', async () => {
    const { redis, failures, many } = await connected(100);
    const [sprayed, { serverOf }] = [some(), redis];
    for (let turn = 0; turn < 22; turn++) {
      redis.serverOf = (turn >= 8 && turn < 16) || turn === 20 ? () => undefined : serverOf;
      await settle(await failures.admit(sprayed), true, `person${turn}`);
    }
    assert.deepEqual(many, [sprayed]);
  });

  it('reports it once also if the answer to the twentieth failure was lost', async () => {
    const { redis, failures, many } = await connected(100);
    const sprayed = some();
    for (let turn = 0; turn < 22; turn++) {
      const admission = await failures.admit(sprayed);
      const { serverOf } = redis;
      if (turn === 19) redis.serverOf = (tag) => answerless(serverOf(tag));
      await settle(admission, true, `person${turn}`);
      redis.serverOf = serverOf;
    }
    assert.deepEqual(many, [sprayed]);
  });
});
