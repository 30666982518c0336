import { startCounterpart } from '../../counterparts/counterpart.ts';
import type { Figure, Row } from '../../row.ts';
import { compare } from '../../load/rounds.ts';

/**
 * Both ways in which better-auth can use Redis: it looks up the session there, as ours does, or it keeps the session
 * in a signed cookie for a while, which is faster but still accepts the session after it has ended.
 */
const WAYS = [
  { id: 'session-check', name: 'better-auth, session in Redis', hasCookieCache: false, atLeast: 6.5 },
  { id: 'session-check-cookie', name: 'better-auth, cookie cache', hasCookieCache: true, atLeast: 9 },
];

export const sessionCheck: Row = {
  name: 'session-check',
  limits: `Core, Redis and the client share two cores, while with better-auth the client and Redis are mostly idle: the CPU
time per request says more.`,
  async measure(bench) {
    const { stack, databaseUrl, users, core } = await bench.system();
    const figures: Figure[] = [];
    for (const { id, name, hasCookieCache, atLeast } of WAYS) {
      const schema = `better_auth_${hasCookieCache ? 'cached' : 'stored'}`;
      const args = [databaseUrl, stack.facts.redisUrl, String(users.length), schema, String(hasCookieCache)];
      const counterpart = await startCounterpart('express-better-auth.mjs', args);
      bench.onEnd(counterpart.stop);
      const cookies = counterpart.facts['cookies'] as string[]; // it sends them
      const theirs = counterpart.target(
        name,
        cookies.map((cookie) => ({ method: 'GET', path: '/check', headers: { cookie } })),
      );
      const title = `GET /ping/auth : ${name}`;
      figures.push(await compare(bench, { id, title, atLeast, ours: core.pingAuth, theirs }));
    }
    return figures;
  },
};
