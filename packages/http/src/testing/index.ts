import assert from 'node:assert/strict';
import { connect } from 'node:net';
import type { Auth, Caller } from '@gatehouse/auth-core';
import type { RefusalCode } from '@gatehouse/redis';
import { createMetrics, type Log, type Metrics } from '@gatehouse/runtime';
import { testLog } from '@gatehouse/runtime/testing';
import type { Problem } from '@gatehouse/schema';
import supertest from 'supertest';
import { ERRORS, type ErrorCode } from '../errors.ts';
import { createApi, type Api, type ApiDefinition } from '../server/create-api.ts';

export { anyRefusal } from '../refusals.ts';
export { createCors } from '../server/cors.ts';
export { serviceKeys, startService } from './service-process.ts';
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

/** Sends these bytes, then `endless` repeatedly; returns what comes until the server closes or is silent. */
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

/** What a request is expected to be refused with: this code and its status, and the first field that is named. */
export function problem(code: ErrorCode, pointer?: string) {
  return ({ status, body }: { status: number; body: { code?: unknown; errors?: Problem[] } }): void => {
    assert.deepEqual([status, body.code], [ERRORS[code].status, code]);
    if (pointer !== undefined) assert.equal(body.errors?.[0]?.pointer, pointer);
  };
}

/** The caller: a token, the result of a login, or nobody. */
export type Who = string | { Token: string } | undefined;

/** Functions that call an API from one client address, with a token or without. */
export function callsOver(http: ReturnType<typeof supertest>, address: string) {
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
  const call = (method: Method, path: string, who: Who, body?: object) => {
    const token = typeof who === 'string' ? who : who?.Token;
    const headers = { 'x-forwarded-for': address, ...(token !== undefined && bearer(token)) };
    const request = http[method](path).set(headers);
    return body === undefined ? request : request.send(body);
  };
  return {
    bearer,
    call,
    get: (path: string, who?: Who) => call('get', path, who),
    post: (path: string, who: Who, body: object = {}) => call('post', path, who, body),
  };
}

interface Cookie {
  name: string;
  value: string;
  path: string;
  isSecure: boolean;
  /** The `Set-Cookie` header, for tests that check it. */
  text: string;
}

/** A browser's cookies (RFC 6265) for one host; cookies ignore ports. */
export function createCookieJar() {
  const cookies = new Map<string, Cookie>();
  return {
    take(url: string, lines: readonly string[]): void {
      for (const text of lines) {
        const [pair = '', ...attributes] = text.split(';').map((part) => part.trim());
        const at = pair.indexOf('=');
        const attribute = (name: string): string | undefined =>
          attributes.find((one) => one.toLowerCase().startsWith(`${name}=`))?.slice(name.length + 1);
        const path = attribute('path') ?? '/';
        const isOver =
          attribute('max-age') === '0' || Date.parse(attribute('expires') ?? '9999-01-01') <= Date.now();
        const isSecure = attributes.some((one) => one.toLowerCase() === 'secure');
        const cookie = { name: pair.slice(0, at), value: pair.slice(at + 1), path, isSecure, text };
        if (isOver) cookies.delete(`${cookie.name} ${path}`);
        else cookies.set(`${cookie.name} ${path}`, cookie);
      }
    },

    /** The `Cookie` header of a request to this address; empty without cookies. */
    header(url: string): string {
      const { pathname, protocol } = new URL(url);
      const isIn = (path: string) =>
        pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
      return [...cookies.values()]
        .filter(({ path, isSecure }) => isIn(path) && (!isSecure || protocol === 'https:'))
        .map(({ name, value }) => `${name}=${value}`)
        .join('; ');
    },

    all: (): Cookie[] => [...cookies.values()],
  };
}
