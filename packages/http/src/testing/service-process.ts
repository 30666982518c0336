import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { programArguments } from '@gatehouse/build';
import { throwAwayKeySet } from '@gatehouse/auth-core/testing';
import { testServers } from '@gatehouse/runtime/testing';
import supertest from 'supertest';
import { serviceKeys, type ServiceWithKeys } from './keys.ts';

/**
 * Starts the built service as a separate process against the servers of this test run, on free ports. Resolves when it
 * has logged that it is listening, and `others`. `http` calls its API, `internal` its health and metrics; `stop` sends
 * SIGTERM and returns the exit code, `kill` is `kill -9`.
 *
 * @throws {Error} with the service's own output if it does not start.
 */
export async function startService(
  service: ServiceWithKeys,
  settings: { DATABASE_URL: string } & Record<string, string>,
  others: readonly string[] = [],
) {
  const { TEST_REDIS_URL, TEST_AMQP_URL } = testServers();
  const child = spawn(process.execPath, programArguments(service), {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PORT: '0',
      INTERNAL_PORT: '0',
      REDIS_URL: TEST_REDIS_URL,
      AMQP_URL: TEST_AMQP_URL,
      ISSUER: 'http://127.0.0.1:8080',
      ...serviceKeys({ signingKeys: throwAwayKeySet() })[service],
      ...settings,
    },
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return exited;
  };
  const kill = () => end('SIGKILL');
  const { port, internalPort } = await logged(child.stdout, ['listening', ...others]).catch(
    async (error: unknown) => {
      await kill();
      throw error;
    },
  );
  const host = settings['HOST'] === '::1' ? '[::1]' : '127.0.0.1';
  const url = `http://${host}:${port}`;
  return {
    url,
    http: supertest(url),
    internal: supertest(`http://${host}:${internalPort}`),
    signal: (name: NodeJS.Signals) => void child.kill(name),
    stop: () => end('SIGTERM'),
    kill,
  };
}

/** Reads the log until it has all these messages. Returns the line that contains the ports. */
function logged(output: NodeJS.ReadableStream, messages: readonly string[]) {
  const awaited = new Set(messages);
  return new Promise<{ port?: number; internalPort?: number }>((resolve, reject) => {
    const lines: string[] = [];
    let listening = {};
    createInterface(output)
      .on('line', (text) => {
        const line = JSON.parse(text) as { message: string };
        if (awaited.size > 0) lines.push(text);
        if (line.message === 'listening') listening = line;
        if (awaited.delete(line.message) && awaited.size === 0) resolve(listening);
      })
      .on('close', () => reject(new Error(`the service did not start:\n${lines.join('\n')}`)));
  });
}
