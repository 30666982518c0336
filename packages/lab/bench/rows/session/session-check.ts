import { startCounterpart } from '../../counterparts/counterpart.ts';
import type { Bench, Figure, Row } from '../../row.ts';
import { compare } from '../../load/rounds.ts';

/**
 * Both ways in which better-auth can use Redis: it looks up the session there, as ours does, or it keeps the session
 * in a signed cookie for a while, which is faster but still accepts the session after it has ended.
 */
export const sessionCheck: Row = {
  name: 'session-check',
  about: "GET /ping/auth, compared with better-auth's session check, with Redis and with its cookie cache",
  limits: `Core, Redis and the client share two cores, while with better-auth the client and Redis are mostly idle: the CPU
time per request says more.`,
  measure: async (bench) => [
    await against(bench, {
      id: 'session-check',
      name: 'better-auth, session in Redis',
      hasCookieCache: false,
      atLeast: 6.5,
    }),
    await against(bench, {
      id: 'session-check-cookie',
      name: 'better-auth, cookie cache',
      hasCookieCache: true,
      atLeast: 9,
    }),
  ],
};

async function against(
  bench: Bench,
  {
    id,
    name,
    hasCookieCache,
    atLeast,
  }: { id: string; name: string; hasCookieCache: boolean; atLeast: number },
): Promise<Figure> {
  const { stack, databaseUrl, users } = await bench.system();
  const schema = `better_auth_${hasCookieCache ? 'cached' : 'stored'}`;
  const args = [databaseUrl, stack.facts.redisUrl, String(users.length), schema, String(hasCookieCache)];
  const counterpart = await startCounterpart('express-better-auth.mjs', args);
  bench.onEnd(counterpart.stop);
  const cookies = counterpart.facts['cookies'] as string[]; // it sends them
  const theirs = counterpart.target(
    name,
    cookies.map((cookie) => ({ method: 'GET', path: '/check', headers: { cookie } })),
  );
  const { rate, cpu, detail } = await compare(bench, (await bench.system()).core.pingAuth, theirs);
  return {
    id,
    title: `GET /ping/auth : ${name}`,
    value: rate,
    unit: '×',
    bar: { atLeast },
    detail,
    cpuRatio: cpu,
  };
}
