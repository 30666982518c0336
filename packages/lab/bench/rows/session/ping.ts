import { startCounterpart } from '../../counterparts/counterpart.ts';
import type { Asked, Target } from '../../load/load.ts';
import { compare } from '../../load/rounds.ts';
import type { Row } from '../../row.ts';
import { checkOf, pingOf } from '../../system/core-targets.ts';

/** Both checks of a session, each against the same written by hand. */
export const ping: Row = {
  name: 'ping',
  async measure(bench) {
    const { stack, users, core } = await bench.system();
    const byHand = await startCounterpart('express-by-hand.mjs', [
      stack.facts.redisUrl,
      String(users.length),
    ]);
    bench.onEnd(byHand.stop);
    const sessions = (byHand.facts['tokens'] as string[]).map((token) => ({ token })); // it sends them
    const against = (id: string, ours: Target, requests: Asked[]) =>
      compare(bench, {
        id,
        title: `${ours.name} : the same by hand, with Express, jose and ioredis`,
        atLeast: 4.5,
        ours,
        theirs: byHand.target('by hand with Express, jose and ioredis', requests),
      });
    return [
      await against('ping', core.ping, sessions.map(pingOf)),
      await against('ping-auth', core.pingAuth, sessions.map(checkOf)),
    ];
  },
};
