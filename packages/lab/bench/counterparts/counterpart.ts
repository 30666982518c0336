import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Target } from '../load/load.ts';

/** A counterpart in a separate process. */
export interface Counterpart {
  url: string;
  /** Facts that it announced besides its port when it began to listen. */
  facts: Record<string, unknown>;
  cpuSeconds: () => Promise<number>;
  /** What it says about itself at the moment. */
  state: () => Promise<Record<string, unknown>>;
  /** The counterpart as a target for a comparison. */
  target(name: string, requests: Target['requests']): Target;
  stop(): Promise<void>;
}

/** Starts this program of the folder. It is plain JavaScript, so that every Node runs it without a loader. */
export async function startCounterpart(file: string, args: readonly string[] = []): Promise<Counterpart> {
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
  const state = (): Promise<Record<string, unknown>> => {
    child.send('state');
    return answer();
  };
  const cpuSeconds = async (): Promise<number> => Number((await state())['cpuSeconds']);
  return {
    url,
    facts,
    cpuSeconds,
    state,
    target: (name, requests) => ({ name, url, requests, cpuSeconds }),
    stop: async () => {
      child.kill('SIGTERM');
      await exit;
    },
  };
}

/** Node's own server without a framework, with requests like Core's ping and bearer check. */
export async function startBareHttp() {
  const bare = await startCounterpart('bare-http.mjs');
  const headers = { 'content-type': 'application/json' };
  return {
    post: bare.target('bare node:http, POST of JSON', [
      { method: 'POST', path: '/ping', headers, body: '{}' },
    ]),
    hello: bare.target('bare node:http, hello', [{ method: 'GET', path: '/hello' }]),
    stop: bare.stop,
  };
}
