import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { exchangeRaw } from '@gatehouse/http/testing';
import { eventually } from '@gatehouse/runtime/testing';
import type { Target } from '../target.ts';
import { FRAMINGS, listenersOf, type Listener } from './raw-requests.ts';

const HEAD = `POST /account/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;

/** Requests whose end two servers in a row may understand differently: what follows would be another one. */
const SMUGGLED = 'GET /admin/account HTTP/1.1\r\nHost: x\r\nX-Smuggled: yes\r\n\r\n';
const CHUNKED = '2\r\n{}\r\n0\r\n\r\n';
const lengthOf = (body: string) => `Content-Length: ${body.length}\r\n\r\n`;
const AMBIGUOUS: [string, string][] = [
  ...FRAMINGS.map(({ name, bytes }): [string, string] => [name, `${HEAD}${bytes}`]),
  // The longer of two lengths covers the second request.
  [
    'a coding before a length',
    `${HEAD}Transfer-Encoding: chunked\r\n${lengthOf(CHUNKED + SMUGGLED)}${CHUNKED}`,
  ],
  ['two lengths', `${HEAD}Content-Length: 2\r\n${lengthOf(SMUGGLED)}{}`],
  ['a list of lengths', `${HEAD}Content-Length: 2, ${SMUGGLED.length}\r\n\r\n{}`],
  ['bare line feeds', `${HEAD.replaceAll('\r\n', '\n')}Content-Length: 2\n\n{}`],
  ['bare carriage returns', `${HEAD.replaceAll('\r\n', '\r')}Content-Length: 2\r\r{}`],
  ['a length behind a carriage return', `${HEAD}X: y\rContent-Length: 0\r\nContent-Length: 2\r\n\r\n{}`],
];

export function rawConnectionsHarmNothing(target: Target): void {
  const statusesOf = (answer: string) =>
    [...answer.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map((found) => Number(found[1]));

  /** The length of each log, once it contains all requests so far. */
  const logsSoFar = async (): Promise<Map<string, number>> => {
    for (const service of ['core', 'portal'] as const) {
      const traceId = randomUUID().replaceAll('-', '');
      const headers = { traceparent: `00-${traceId}-${traceId.slice(16)}-01` };
      await target.to(service, { method: 'GET', path: '/openapi.json', headers });
      await eventually(() => [...target.logs().values()].some((text) => text.includes(traceId)));
    }
    return new Map([...target.logs()].map(([file, text]) => [file, text.length]));
  };

  it('cannot smuggle a request past the gateway or a service', async () => {
    const attack = async ({ name: listener, port }: Listener): Promise<void> => {
      for (const [name, bytes] of AMBIGUOUS) {
        const answer = await exchangeRaw(port, `${bytes}${SMUGGLED}`, { silenceMs: 200 });
        const statuses = statusesOf(answer);
        const about = `${listener}: ${name} → ${statuses.join()} ${answer.slice(0, 300)}`;
        // Either both servers see the same first request (and refuse the second one as well), or the connection is
        // closed.
        const areRefused = statuses.every((status) => status >= 400 && status < 500);
        assert.ok(statuses.length <= 2 && areRefused, about);
      }
    };
    await Promise.all(listenersOf(target).map(attack));
  });

  it('never give one client the response of another, and reach a service only as requests that the gateway parsed', async () => {
    const { email } = await target.newPerson();
    const { Token } = await target.logIn(email);
    const gateway = Number(new URL(target.stack.facts.baseUrl).port);
    const before = await logsSoFar();
    const attacks = AMBIGUOUS.map(([, bytes]) =>
      exchangeRaw(gateway, `${bytes}${SMUGGLED}`, { silenceMs: 100 }),
    );
    const victims = Array.from({ length: 60 }, async () => {
      const { status, text } = await target.call('GET', '/account/profile', undefined, Token);
      assert.deepEqual([status, text.includes(email)], [200, true], text);
    });
    await Promise.all([...attacks, ...victims]);

    const linesSince = (name: string) =>
      [...target.logs()]
        .filter(([file]) => file.endsWith(`/${name}.log`))
        .flatMap(([file, text]) => text.slice(before.get(file)).split('\n').filter(Boolean))
        .map((line) => JSON.parse(line) as { traceId: string; message?: string });
    const served = await eventually(() => {
      const requests = linesSince('portal').filter(({ message }) => message === 'request');
      return requests.length >= 60 && requests;
    });
    const seen = new Set(linesSince('gateway').map(({ traceId }) => traceId));
    const others = linesSince('core').filter(({ message }) => message === 'request');
    for (const { traceId } of [...served, ...others]) assert.ok(seen.has(traceId), traceId);
  });
}
