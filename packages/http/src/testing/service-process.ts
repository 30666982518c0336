import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { programArguments } from '@gatehouse/build';
import { throwAwayKeySet } from '@gatehouse/auth-core/testing';
import { testServers } from '@gatehouse/runtime/testing';
import supertest from 'supertest';
import { serviceKeys, type ServiceWithKeys } from './keys.ts';

/**
 * Starts the built service as a separate process against the servers of this test run, on free ports. `http` calls its
 * API, `internal` its health and metrics; `stop` sends SIGTERM and returns the exit code.
 *
 * @throws {Error} with the service's own output if it does not start.
 */
export async function startService(
  service: ServiceWithKeys,
  settings: { DATABASE_URL: string } & Record<string, string>,
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
  const { port, internalPort } = await listening(child.stdout);
  const host = settings['HOST'] === '::1' ? '[::1]' : '127.0.0.1';
  return {
    http: supertest(`http://${host}:${port}`),
    internal: supertest(`http://${host}:${internalPort}`),
    stop: () => {
      child.kill('SIGTERM');
      return exited;
    },
  };
}

/** Reads the log until the line that contains the ports. */
function listening(output: NodeJS.ReadableStream): Promise<{ port: number; internalPort: number }> {
  return new Promise((resolve, reject) => {
    const lines: string[] = [];
    createInterface(output)
      .on('line', (text) => {
        lines.push(text);
        const line = JSON.parse(text) as { message: string; port: number; internalPort: number };
        if (line.message === 'listening') resolve(line);
      })
      .on('close', () => reject(new Error(`the service did not start:\n${lines.join('\n')}`)));
  });
}
