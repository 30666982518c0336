import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { programArguments } from '@gatehouse/build';
import type { ServiceName } from '@gatehouse/db';

/** A service that runs as a separate process. */
export interface ServiceProcess {
  /** The URL of its API; the mail worker has none. */
  url: string;
  signal(name: NodeJS.Signals): void;
  /** `kill -9`; resolves when the process has ended. */
  kill(): Promise<void>;
}

/**
 * Starts the built service with these settings. Resolves when it is ready.
 *
 * @throws {Error} with the log of the service if it does not start.
 */
export async function startServiceProcess(
  service: ServiceName,
  settings: Record<string, string>,
  { hasBroker } = { hasBroker: true },
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, programArguments(service), {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PORT: '0', INTERNAL_PORT: '0', ...settings },
  });
  const exited = once(child, 'exit');
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  try {
    const { port } = await atWork(child.stdout, [
      'listening',
      ...(hasBroker ? ['connected to the message broker'] : []),
      ...(service === 'mail-worker' ? [] : ['redis is available']),
    ]);
    return {
      url: `http://127.0.0.1:${port}`,
      signal: (name) => void child.kill(name),
      kill,
    };
  } catch (error) {
    await kill();
    throw error;
  }
}

/** Reads the log until the service has written all these messages. Then it uses its servers, not its fallbacks. */
function atWork(output: NodeJS.ReadableStream, messages: readonly string[]): Promise<{ port?: number }> {
  const awaited = new Set(messages);
  return new Promise((resolve, reject) => {
    const lines: string[] = [];
    let listening: { port?: number } = {};
    createInterface(output)
      .on('line', (text) => {
        const line = JSON.parse(text) as { message: string; port?: number };
        if (lines.length < LINES_MAX) lines.push(text);
        if (line.message === 'listening') listening = line;
        awaited.delete(line.message);
        if (awaited.size === 0) resolve(listening);
      })
      .on('close', () => reject(new Error(`the service did not start:\n${lines.join('\n')}`)));
  });
}

const LINES_MAX = 20;
