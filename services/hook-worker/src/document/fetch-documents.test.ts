import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { createProxyFor } from '@gatehouse/runtime';
import { during, serve, startProxy, testAuthority } from '@gatehouse/runtime/testing';
import { createFetchDocument } from './fetch-documents.ts';

const HOST = 'agent.example.com';
const URL_OF_DOCUMENT = `https://${HOST}/client.json`;
const JSON_TYPE = { 'content-type': 'application/json' };
const authority = testAuthority();

describe('fetching the document of an application', () => {
  let answer: RequestListener;
  let asked: string[];
  beforeEach(() => (asked = []));
  const site = during(() =>
    serve((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers.accept}`);
      answer(request, response);
    }, authority.issue(HOST)),
  );
  const proxy = during(() => startProxy(site));

  /** Fetches it from a host of the Internet, which the proxy finds on this machine. */
  const fetchFrom = (addresses: string[]) =>
    createFetchDocument({
      ...{ ca: authority.pem, lookUp: async () => addresses, fetchMs: 1000 },
      proxyFor: createProxyFor({ HTTPS_PROXY: proxy.url }),
    })(URL_OF_DOCUMENT);
  const fetched = (given: RequestListener) => {
    answer = given;
    return fetchFrom(['93.184.216.34']);
  };

  it('reads JSON over TLS, and how long it may be kept', async () => {
    for (const [type, cacheControl, seconds] of [
      ['application/json', 'public, max-age=7200', 7200],
      ['application/json; charset=utf-8', 'max-age=60, no-store', 0],
      ['application/client-id+json', undefined, 0],
    ] as const) {
      const headers = { 'content-type': type, ...(cacheControl && { 'cache-control': cacheControl }) };
      const found = await fetched((_request, response) => response.writeHead(200, headers).end('{"a":"ü"}'));
      assert.deepEqual(found, { body: '{"a":"ü"}', seconds });
    }
    assert.deepEqual(new Set(asked), new Set(['GET /client.json application/json']));
  });

  for (const [what, fault, given] of [
    ['a redirect', 'status 302', (_, response) => response.writeHead(302, { location: '/x' }).end()],
    ['a missing one', 'status 404', (_, response) => response.writeHead(404, JSON_TYPE).end('{}')],
    [
      'a page',
      'no JSON by its Content-Type',
      (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('{}'),
    ],
    ['one of no type', 'no JSON by its Content-Type', (_, response) => response.writeHead(200).end('{}')],
    [
      'a long one',
      'more than 5 KB',
      (_, response) => response.writeHead(200, JSON_TYPE).end('x'.repeat(5121)),
    ],
    [
      'an endless one',
      'more than 5 KB',
      (_, response) => {
        response.writeHead(200, JSON_TYPE);
        const more = (): void => {
          while (!response.destroyed && response.write('x'.repeat(9999)));
        };
        response.on('drain', more);
        more();
      },
    ],
    [
      'one of another encoding',
      'no UTF-8',
      (_, response) => response.writeHead(200, JSON_TYPE).end(Buffer.from([0x22, 0xff, 0x22])),
    ],
    ['one that does not come', 'timeout', () => {}],
  ] as [string, string, RequestListener][])
    it(`says what is wrong with ${what}, and asks once`, async () => {
      assert.deepEqual(await fetched(given), { fault });
      assert.equal(asked.length, 1);
    });

  it('never leads inside', async () => {
    const before = proxy.asked.length;
    const other = ['169.254.169.254', '192.168.0.1', '64:ff9b::a00:1'].map((address) => [address]);
    for (const inside of [['127.0.0.1'], ['::ffff:127.0.0.1'], ['10.0.0.1', '::1'], ...other])
      assert.deepEqual(await fetchFrom(inside), { fault: 'address_not_allowed' });
    assert.equal(proxy.asked.length, before);
  });
});
