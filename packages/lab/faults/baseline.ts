import { Agent, get } from 'node:http';
import { startCounterpart } from '../bench/counterparts/counterpart.ts';

export type Baseline = Awaited<ReturnType<typeof openBaseline>>;

/** Measures the time of `GET /ping`. */
export async function openBaseline() {
  const bare = await startCounterpart('bare-http.mjs');
  const agent = new Agent({ keepAlive: true });
  return {
    /**
     * How many milliseconds longer the service takes than a bare server in another process that gets a request at the
     * same moment. A busy machine delays both. Infinity if the connection breaks.
     */
    excessOf: async (url: string): Promise<number> => {
      const [service, other] = await Promise.all([timed(`${url}/ping`, agent), timed(bare.url, agent)]);
      return Math.max(0, service - other);
    },
    close: (): Promise<void> => {
      agent.destroy();
      return bare.stop();
    },
  };
}

function timed(url: string, agent: Agent): Promise<number> {
  return new Promise((resolve) => {
    const begun = performance.now();
    const request = get(url, { agent }, (response) => {
      response.resume().on('end', () => resolve(performance.now() - begun));
    });
    request.on('error', () => resolve(Infinity)).setTimeout(5000, () => request.destroy(new Error('late')));
  });
}
