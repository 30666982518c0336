import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { eventually, testLog, testServers } from '@gatehouse/runtime/testing';
import { encode } from '../session/cached-session.ts';
import { connectRedis } from '../client/redis.ts';
import { READ } from './scripts.ts';
import { hasLapsed } from '../session/session-validity.ts';
import { someSession } from '../testing/index.ts';

const IDLE_SECONDS = 60;

describe('the script that reads cached sessions', () => {
  const redis = connectRedis({ url: testServers().redisUrl, log: testLog() });
  const key = `s:${randomUUID()}`;
  before(() => eventually(() => redis.ping().then(() => true)));
  after(() => redis.disconnect());

  for (const age of [IDLE_SECONDS - 1, IDLE_SECONDS, IDLE_SECONDS + 1]) {
    it(`marks a session last seen ${age} of ${IDLE_SECONDS} s ago only if it is valid`, async () => {
      // Try again if the server's clock moves to another second in between.
      for (;;) {
        const [before = 0] = (await redis.time()).map(Number);
        const session = someSession(before - age);
        await redis.set(key, encode(session));
        const [now] = (await redis.eval(READ, 1, key, IDLE_SECONDS, '+')) as [number];
        if (now !== before) continue;
        const stored = (await redis.get(key)) ?? '';
        const isMarked = Number(stored.slice(0, 10)) === now;
        assert.equal(isMarked, !hasLapsed(session, now, IDLE_SECONDS));
        return;
      }
    });
  }
});
