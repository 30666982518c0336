import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { portalSecretOf, publicKeySetOf } from '@gatehouse/auth-core';
import { TEST_ID_TOKEN_KEYS, TEST_SECRET, throwAwayKeySet } from '@gatehouse/auth-core/testing';
import { programArguments } from '@gatehouse/build';
import { mailPublicKeyOf } from '@gatehouse/runtime';
import { testServers } from '@gatehouse/runtime/testing';
import supertest from 'supertest';

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
  const { redisUrl, amqpUrl } = testServers();
  const child = spawn(process.execPath, programArguments(service), {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PORT: '0',
      INTERNAL_PORT: '0',
      REDIS_URL: redisUrl,
      AMQP_URL: amqpUrl,
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

/** The services that have keys; each refuses keys that it does not use. */
export type ServiceWithKeys = 'core' | 'portal' | 'admin' | 'mail-worker' | 'hook-worker';

/** The keys of each service of an installation, all derived from `TEST_SECRET`. */
export function serviceKeys(from: { signingKeys: string }): Record<ServiceWithKeys, Record<string, string>> {
  const { signingKeys } = from;
  const sealing = { PASSWORD_PEPPER: TEST_SECRET, MAIL_PUBLIC_KEY: mailPublicKeyOf(TEST_SECRET) };
  const issuing = { SIGNING_KEYS: signingKeys, TOKEN_SECRET: TEST_SECRET };
  const PORTAL_SECRET = portalSecretOf(TEST_SECRET);
  const verifying = { VERIFICATION_KEYS: publicKeySetOf(signingKeys), PORTAL_SECRET };
  return {
    core: { ...sealing, ...issuing, TWO_FACTOR_KEY: TEST_SECRET, ID_TOKEN_KEYS: TEST_ID_TOKEN_KEYS },
    portal: { ...sealing, ...verifying },
    admin: { ...sealing, ...issuing, TWO_FACTOR_KEY: TEST_SECRET },
    'mail-worker': { MAIL_KEY: TEST_SECRET },
    'hook-worker': { HOOK_KEY: TEST_SECRET },
  };
}
