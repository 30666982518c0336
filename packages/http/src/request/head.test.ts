import assert from 'node:assert/strict';
import { Type } from '@gatehouse/schema';
import { HEADERS_MAX } from './head.ts';
import { defineSubjects } from '../route.ts';
import { fakeAuth, exchangeRaw, startApi } from '../testing/index.ts';

const routes = [
  defineSubjects<object>()({})('POST /headers', {
    summary: 'Tells which headers came',
    access: 'public',
    body: Type.Object({}),
    response: Type.Object({}, { additionalProperties: true }),
    handler: ({ request }) => ({ ...request.headers }),
  }),
];

describe('the head of a request', () => {
  let server: Awaited<ReturnType<typeof startApi<object>>>;
  before(async () => {
    server = await startApi({ routes, deps: {}, auth: fakeAuth({}) });
  });
  after(() => server.stop());
  const post = (headers: string[], rest = '') =>
    exchangeRaw(server.port, `${['POST /headers HTTP/1.1', ...headers].join('\r\n')}\r\n\r\n${rest}`);
  const filler = (count: number) => Array.from({ length: count }, (_, at) => `X-${at}: ${at}`);

  it('may have a hundred headers, and no more', async () => {
    const most = await post(['Host: x', ...filler(HEADERS_MAX - 2), 'If-Match: "last"']);
    assert.match(most, /^HTTP\/1\.1 200 [^]*"if-match":"\\"last\\""/);
    for (const count of [HEADERS_MAX, 150, 1500]) {
      const more = await post(['Host: x', ...filler(count), 'If-Match: "last"']);
      assert.match(more, /^HTTP\/1\.1 431 [^]*"code":"headers_too_large"/, `${count}`);
    }
  });

  it('is refused for its count first, and the connection stays open', async () => {
    const first = ['Host: x', ...filler(HEADERS_MAX), 'Content-Type: text/plain', 'Content-Length: 2'];
    const second = 'POST /headers HTTP/1.1\r\nHost: x\r\n\r\n';
    assert.match(await post(first, `{}${second}`), /^HTTP\/1\.1 431 [^]*HTTP\/1\.1 200 /);
  });

  it('must not repeat single-value headers', async () => {
    for (const [name, value] of [
      ['Host', 'y'],
      ['host', 'x'],
      ['Authorization', 'Bearer a'],
      ['aUTHORIZATION', 'Bearer a'],
      ['Content-Type', 'application/json'],
      ['Content-Length', '0'],
      ['User-Agent', 'a'],
      ['Origin', 'https://a.example'],
    ] as const) {
      const pair = [`${name}: ${value}`, `${name.toUpperCase()}: ${value}`];
      const headers = name.toLowerCase() === 'host' ? ['Host: x', pair[0] ?? ''] : ['Host: x', ...pair];
      const answer = await post(headers);
      assert.match(answer, /^HTTP\/1\.1 400 [^]*"code":"invalid_request"/, name);
    }
  });

  it('keeps every line of list headers', async () => {
    const lists = [
      'If-Match: "1"',
      'X-Forwarded-For: 192.0.2.1',
      'If-Match: "2"',
      'X-Forwarded-For: 192.0.2.2',
    ];
    const answer = await post(['Host: x', ...lists, 'X-Long-Name: 1', 'X-Long-Name: 2']);
    assert.match(answer, /"if-match":"\\"1\\", \\"2\\""/);
    assert.match(answer, /"x-forwarded-for":"192\.0\.2\.1, 192\.0\.2\.2"/);
    assert.match(answer, /"x-long-name":"1, 2"/);
  });

  it('ignores trailers', async () => {
    const chunked = [
      'Host: x',
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
      'Trailer: If-Match',
    ];
    const answer = await post(chunked, '2\r\n{}\r\n0\r\nIf-Match: "1"\r\nHost: y\r\n\r\n');
    assert.match(answer, /^HTTP\/1\.1 200 /);
    assert.doesNotMatch(answer, /"if-match"/);
    const endless = await post(chunked, `2\r\n{}\r\n0\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`);
    assert.doesNotMatch(endless, /"x":/);
  });

  it('must have valid header bytes', async () => {
    for (const line of [
      'If-Match : "1"',
      'If Match: "1"',
      ': 1',
      'If-Match\u0000: 1',
      'X: a\u0000b',
      'X: a\rb',
    ]) {
      const answer = await post(['Host: x', line]);
      assert.match(answer, /^HTTP\/1\.1 400 /, JSON.stringify(line));
    }
  });
});
