import assert from 'node:assert/strict';
import { during, testServers } from '@gatehouse/runtime/testing';
import { compare } from './compare.ts';
import { startCounterpart } from './counterparts/counterpart.ts';
import type { Target } from './load.ts';
import { posting, startSystem } from './system.ts';

/**
 * The minimum of requests per CPU second of Core, relative to bare `node:http`: two thirds of the lowest values
 * measured on Node 20, 22 and 24 (0.28 and 0.20). A busy machine changes a ratio by less than a third. Express is not
 * suitable for comparison: it costs three to four times as much on Node 20 as on Node 24.
 */
const LEAST = { ping: 0.18, 'ping-auth': 0.13 };
/** A change that makes Core slower fails every time; a disturbance of the machine does not. */
const TRIES = 3;

/** Ratios of CPU time of two servers that are loaded in turn. A slow or busy machine affects both servers equally. */
describe('the speed of Core against bare node:http', function () {
  this.timeout(120_000);
  const { signal } = new AbortController();
  const system = during(() => startSystem({ signal, bcryptCost: 4, users: 64, servers: testServers() }));
  const bare = during(() => startCounterpart('bare-http.mjs'));

  const rows: [keyof typeof LEAST, () => [Target, Target]][] = [
    ['ping', () => [system.core.ping, bare.target('bare node:http, POST', [posting('/', {})])]],
    [
      'ping-auth',
      () => [system.core.pingAuth, bare.target('bare node:http', [{ method: 'GET', path: '/' }])],
    ],
  ];
  for (const [id, pair] of rows) {
    it(`is for ${id} at most a third below the recorded value`, async () => {
      const seen: number[] = [];
      const [ours, theirs] = pair();
      while (seen.length < TRIES && !seen.some((ratio) => ratio >= LEAST[id])) {
        const bench = { signal, sizes: { rounds: 5, seconds: 0.5 }, say: () => {} };
        seen.push((await compare(bench, { id, ours, theirs })).cpuRatio);
      }
      const best = Math.max(...seen);
      assert.ok(
        best >= LEAST[id],
        `a CPU second serves ${best.toFixed(2)} times as many as bare node:http, and ${LEAST[id]} are the least: ` +
          'find what made it more expensive, or say here what it may cost',
      );
    });
  }
});
