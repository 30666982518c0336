import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Target } from './load.ts';

/** Bare Express in a process of its own, as what is asked of it in place of each of Core's calls. */
export async function startCounterpart() {
  const child = fork(fileURLToPath(new URL('bare-express.mjs', import.meta.url)));
  const ended = once(child, 'exit').then(() => {
    throw new Error('bare Express ended before its time');
  });
  ended.catch(() => undefined);
  const answer = async (): Promise<Record<string, number | undefined>> => {
    // Its two answers are objects of one number.
    const [facts] = (await Promise.race([once(child, 'message'), ended])) as [Record<string, number>];
    return facts;
  };
  const { port } = await answer();
  const url = `http://127.0.0.1:${port}`;
  const cpuSeconds = async (): Promise<number> => {
    child.send('cpu');
    return (await answer())['cpuSeconds'] ?? Number.NaN;
  };
  const post: Target = {
    name: 'bare Express, POST of JSON',
    url,
    requests: [
      { method: 'POST', path: '/ping', headers: { 'content-type': 'application/json' }, body: '{}' },
    ],
    cpuSeconds,
  };
  const hello: Target = {
    name: 'bare Express, hello',
    url,
    requests: [{ method: 'GET', path: '/hello' }],
    cpuSeconds,
  };
  return { post, hello, stop: () => void child.kill('SIGTERM') };
}
