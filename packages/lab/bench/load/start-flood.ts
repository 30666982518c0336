import { Agent, request } from 'node:http';
import type { Asked, Target } from './load.ts';

/** The maximum of connections. Additional requests wait here for a free connection instead of at the server. */
const CONNECTIONS_MAX = 1000;
const TICK_MS = 10;

/** Sends this many requests per second, whether or not earlier ones are answered, until it is stopped. */
export function startFlood(target: Target, perSecond: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS_MAX });
  const { hostname, port } = new URL(target.url);
  const counts = { good: 0, refused: 0 };
  const inFlight = new Set<Promise<void>>();
  const began = performance.now();
  let sent = 0;
  const send = (asked: Asked): Promise<void> =>
    new Promise((resolve) => {
      const { method, path, headers = {}, body } = asked;
      const message = request({ hostname, port, agent, method, path, headers }, (response) => {
        if (response.statusCode === 200) counts.good += 1;
        else counts.refused += 1;
        response.resume().once('close', resolve);
      });
      message.once('error', () => {
        counts.refused += 1;
        resolve();
      });
      message.end(body);
    });
  const timer = setInterval(() => {
    const due = ((performance.now() - began) / 1000) * perSecond;
    for (; sent < due; sent++) {
      const asked = target.requests[sent % target.requests.length];
      if (asked === undefined) return;
      const one = send(asked).then(() => void inFlight.delete(one));
      inFlight.add(one);
    }
  }, TICK_MS);
  return {
    /** Stops sending and waits for outstanding requests. */
    async stop(): Promise<typeof counts> {
      clearInterval(timer);
      await Promise.all(inFlight);
      agent.destroy();
      return counts;
    },
  };
}
