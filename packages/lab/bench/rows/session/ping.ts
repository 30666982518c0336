import { startCounterpart, type Counterpart } from '../../counterparts/counterpart.ts';
import type { Target } from '../../load/load.ts';
import { compare } from '../../load/rounds.ts';
import type { Bench, Figure, Row } from '../../row.ts';

/** Both checks of a session, each against the same written by hand. */
export const ping: Row = {
  name: 'ping',
  about: 'POST /account/ping and GET /ping/auth, compared with the same written by hand',
  async measure(bench) {
    const { stack, users, core } = await bench.system();
    const byHand = await startCounterpart('express-by-hand.mjs', [
      stack.facts.redisUrl,
      String(users.length),
    ]);
    bench.onEnd(byHand.stop);
    return [
      await against(bench, byHand, { id: 'ping', method: 'POST', path: '/account/ping', ours: core.ping }),
      await against(bench, byHand, {
        id: 'ping-auth',
        method: 'GET',
        path: '/ping/auth',
        ours: core.pingAuth,
      }),
    ];
  },
};

async function against(
  bench: Bench,
  byHand: Counterpart,
  { id, method, path, ours }: { id: string; method: 'GET' | 'POST'; path: string; ours: Target },
): Promise<Figure> {
  const tokens = byHand.facts['tokens'] as string[]; // it sends them
  const calls = tokens.map((token) => ({
    method,
    path,
    headers: {
      authorization: `Bearer ${token}`,
      ...(method === 'POST' && { 'content-type': 'application/json' }),
    },
    ...(method === 'POST' && { body: '{}' }),
  }));
  const theirs = byHand.target('by hand with Express, jose and ioredis', calls);
  const { rate, cpu, detail } = await compare(bench, ours, theirs);
  const title = `${method} ${path} : the same by hand, with Express, jose and ioredis`;
  return { id, title, value: rate, unit: '×', bar: { atLeast: 4.5 }, detail, cpuRatio: cpu };
}
