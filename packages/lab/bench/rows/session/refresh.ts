import { startCounterpart } from '../../counterparts/counterpart.ts';
import type { Row } from '../../row.ts';
import { compare } from '../../load/rounds.ts';

/**
 * A session stores each replaced refresh token for half a minute. With few users, each session would be refreshed
 * dozens of times per second and store hundreds of tokens, which does not happen in practice.
 */
const USERS = 1000;
const COST = 4;

export const refresh: Row = {
  name: 'refresh',
  limits: `Signing the access token takes more than half as much CPU as the counterpart's whole request: 88 µs with jose
([decision 36](../decisions/0036-batched-refreshes.md)).`,
  async measure(bench) {
    const { databaseUrl, users, core } = await bench.ownSystem({ bcryptCost: COST, users: USERS });
    const counterpart = await startCounterpart('express-update.mjs', [databaseUrl, String(users.length)]);
    bench.onEnd(counterpart.stop);
    const headers = { 'content-type': 'application/json' };
    const theirs = counterpart.target(
      'bare Express with one UPDATE',
      users.map((_user, id) => ({ method: 'POST', path: '/refresh', headers, body: JSON.stringify({ id }) })),
    );
    const title = 'POST /account/refresh-token : bare Express with one UPDATE … RETURNING';
    return [await compare(bench, { id: 'refresh', title, atLeast: 0.6, ours: core.refresh, theirs })];
  },
};
