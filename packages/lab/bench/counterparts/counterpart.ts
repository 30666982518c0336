import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Target } from '../load.ts';

/** Starts this program of the folder. It is plain JavaScript, so that every Node runs it without a loader. */
export async function startCounterpart(file: string, args: readonly string[] = []) {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args);
  const exit = once(child, 'exit');
  const ended = exit.then(() => {
    throw new Error(`${file} ended before its time`);
  });
  ended.catch(() => undefined);
  const answer = async (): Promise<Record<string, unknown>> => {
    const [facts] = (await Promise.race([once(child, 'message'), ended])) as [Record<string, unknown>]; // its facts
    return facts;
  };
  const facts = await answer();
  const url = `http://127.0.0.1:${String(facts['port'])}`;
  const cpuSeconds = async (): Promise<number> => {
    child.send('cpuSeconds');
    return Number((await answer())['cpuSeconds']);
  };
  return {
    url,
    facts,
    target: (name: string, requests: Target['requests']): Target => ({ name, url, requests, cpuSeconds }),
    stop: async (): Promise<void> => {
      child.kill('SIGTERM');
      await exit;
    },
  };
}
