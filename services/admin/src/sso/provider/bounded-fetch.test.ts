import assert from 'node:assert/strict';
import { lookUpName } from '@gatehouse/runtime';
import { startNameServer, serve } from '@gatehouse/runtime/testing';
import { boundedFetch } from './talk.ts';

describe('requests to identity providers', function () {
  this.timeout(30_000);

  it('end in time while a name server does not answer, and delay no other provider', async () => {
    const names = await startNameServer(() => new Promise(() => {}));
    const server = await serve((_request, response) => response.end('{}'));
    const ask = async (url: string, ms: number): Promise<number> => {
      const startedAt = performance.now();
      const lookUp = (name: string, signal?: AbortSignal) =>
        lookUpName(name, signal, { servers: [names.address] });
      const options = { method: 'GET' as const, headers: {}, body: undefined, redirect: 'manual' as const };
      const fetching = boundedFetch(AbortSignal.timeout(ms), { proxyFor: () => undefined, lookUp });
      const isTypeError = (error: unknown) => assert.ok(error instanceof TypeError);
      const answer = await fetching(url, options).catch(isTypeError);
      assert.equal(answer?.status, url.startsWith('http:') ? 200 : undefined);
      return performance.now() - startedAt;
    };
    const dead = Array.from({ length: 20 }, (_, at) => ask(`https://idp-${at}.example.com/`, 1000));
    assert.ok((await ask(`http://localhost:${server.port}/`, 9000)) < 900);
    for (const ms of await Promise.all(dead)) assert.ok(ms < 3000, `${ms} ms`);
    await server.stop();
    await names.close();
  });
});
