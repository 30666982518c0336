import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { eventually, msOf } from '@gatehouse/runtime/testing';
import { atOnce, cast } from '../../testing/cast.ts';
import { someAddress } from '../../testing/index.ts';

const CONNECTIONS = 96;
const LOGINS = 20;
const LIMIT_MS = 2000;

describe('logins beside 96 connections that log in with invented names', function () {
  this.timeout(120_000);
  const { core, member } = cast({ BCRYPT_COST: 10, HASH_THREADS: 2 });

  const hex = (): string => randomInt(0x10000).toString(16);
  const [one, network] = [someAddress(), `2001:db8:${hex()}`];
  const sources: Record<string, () => string> = {
    'one address': () => one,
    'another /64 of one /48 each time': () => `${network}:${hex()}::1`,
    'another address of one /24 each time': () => `198.51.100.${randomInt(256)}`,
  };
  for (const [name, addressOf] of Object.entries(sources))
    it(`all succeed within two seconds, if these come from ${name}`, async () => {
      const ann = await member();
      let isOver = false;
      const flood = atOnce(CONNECTIONS, async (connection) => {
        for (let sent = 0; !isOver; sent += 1) {
          const answer = await fetch(`${core().url}/account/login`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'x-forwarded-for': addressOf() },
            body: JSON.stringify({
              Username: `nobody${connection}.${sent}@example.com`,
              Password: 'whatever',
            }),
          });
          await answer.text();
        }
      });
      try {
        await eventually(() => core().app.service.passwords.load().waiting > 4);
        const times: number[] = [];
        for (let login = 0; login < LOGINS; login += 1) {
          times.push(await msOf(() => ann.logsIn().expect(200)));
        }
        assert.ok(Math.max(...times) < LIMIT_MS, times.map(Math.round).join());
      } finally {
        isOver = true;
        await flood;
      }
    });
});
