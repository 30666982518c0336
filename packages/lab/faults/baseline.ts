import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';

/** Measures the time of `GET /ping`. */
export interface Baseline {
  /**
   * How many milliseconds longer the service takes than a bare server in another process that gets a request at the
   * same moment. A busy machine delays both. Infinity if the connection breaks.
   */
  excessOf(url: string): Promise<number>;
  close(): void;
}

const BARE = `
  const server = require('node:http').createServer((_, response) => response.end('Pong'));
  server.listen(0, '127.0.0.1', () => process.stdout.write(String(server.address().port)));
`;

export async function openBaseline(): Promise<Baseline> {
  const child = spawn(process.execPath, ['-e', BARE], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  const agent = new Agent({ keepAlive: true });
  return {
    excessOf: async (url) => {
      const [service, bare] = await Promise.all([
        timed(`${url}/ping`, agent),
        timed(`http://127.0.0.1:${port.toString()}/`, agent),
      ]);
      return Math.max(0, service - bare);
    },
    close: () => {
      agent.destroy();
      child.kill('SIGKILL');
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
