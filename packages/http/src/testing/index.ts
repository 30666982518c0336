import { connect } from 'node:net';
import type { Auth, Caller } from '@gatehouse/auth-core';
import type { RefusalCode } from '@gatehouse/redis';
import { createMetrics, type Log, type Metrics } from '@gatehouse/runtime';
import { testLog } from '@gatehouse/runtime/testing';
import supertest from 'supertest';
import { createApi, type Api, type ApiDefinition } from '../server/create-api.ts';

export { anyRefusal } from '../refusals.ts';
export { createCors } from '../server/cors.ts';
export { startService } from './service-process.ts';
export { openEvents, type EventStream } from './event-stream.ts';

type ApiOptions<Deps> = Parameters<typeof createApi<Deps>>[0];

/** Starts an API as production does, on a free local port; `http` calls it, `stop` ends it, `log` is to be read. */
export async function startApi<Deps>(
  options: Pick<ApiOptions<Deps>, 'routes' | 'deps' | 'auth'> & Partial<ApiOptions<Deps>>,
) {
  const log = testLog();
  const metrics: Metrics = createMetrics('test');
  const standing = { title: 'Test', version: '1', log, metrics, trustProxy: '', corsOrigins: '' };
  return { log, metrics, ...(await listen(createApi<Deps>({ ...standing, ...options }))) };
}

/** Serves a service’s API with the dependencies of `app`, behind a local proxy; `stop` ends both. */
export async function startTestApi<App extends { log: Log; stop(): Promise<void> }, Deps>(
  app: App,
  definition: ApiDefinition<Deps>,
  metrics: Metrics = createMetrics('test'),
) {
  const standing = { log: app.log, metrics, trustProxy: '127.0.0.1', corsOrigins: '' };
  const { http, url, stop } = await listen(createApi({ ...definition, ...standing }));
  return {
    app,
    http,
    url,
    stop: async () => {
      await stop();
      await app.stop();
    },
  };
}

async function listen(api: Api) {
  const port = await api.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${port}`;
  return { api, port, url, http: supertest(url), stop: () => api.close() };
}

/** An `Auth` that knows these tokens: the caller of each, or why a call of its session is refused. */
export function fakeAuth(tokens: Record<string, Caller | { caller: Caller; refused: RefusalCode }>): Auth {
  const find = (authorization: string | undefined, isGenuineEnough: boolean) => {
    if (authorization === undefined) return { kind: 'refused', code: 'token_missing' } as const;
    const found = tokens[authorization.replace('Bearer ', '')];
    if (found === undefined) return { kind: 'refused', code: 'token_invalid' } as const;
    if ('kind' in found) return found;
    return isGenuineEnough ? found.caller : { kind: 'refused' as const, code: found.refused };
  };
  return {
    sites: [],
    verify: (authorization) => find(authorization, true),
    authenticate: (authorization) => Promise.resolve(find(authorization, false)),
    recheckAccess: (_caller, authorization) => Promise.resolve(find(authorization, false)),
    isConfirmed: () => true,
  };
}

/**
 * Sends these bytes and returns everything received until the server closes the connection or is silent for
 * `silenceMs`. `endless` is sent repeatedly until the server closes the connection.
 */
export function exchangeRaw(
  port: number,
  bytes: string,
  { endless, silenceMs = 300 }: { endless?: string; silenceMs?: number } = {},
): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const finish = (): void => {
      socket.destroy();
      resolve(answer);
    };
    const pour = (): void => {
      while (endless !== undefined && !socket.destroyed && socket.write(endless));
    };
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
      if (endless === undefined) socket.setTimeout(silenceMs, finish);
    });
    socket.on('drain', pour).on('error', finish).on('close', finish);
    socket.write(bytes, pour);
  });
}
export { callsOver, type Who } from './calls.ts';
export { createCookieJar } from './cookies.ts';
export { serviceKeys } from './keys.ts';
