import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { during } from '@gatehouse/runtime/testing';
import { Type } from '@gatehouse/schema';
import { BODY_BYTES_MAX, hasTooManyValues, JSON_VALUES_MAX } from './body.ts';
import { HEADERS_MAX } from './head.ts';
import { defineSubjects } from '../route.ts';
import { fakeAuth, exchangeRaw, startApi } from '../testing/index.ts';

const route = defineSubjects<object>()({});
const routes = [
  route('POST /length', {
    summary: 'Tells how long the text is',
    access: 'public',
    body: Type.Object({ Text: Type.Optional(Type.String()) }),
    response: Type.Object({ Length: Type.Integer(), Fields: Type.Array(Type.String()) }),
    handler: async ({ body }) => ({ Length: body.Text?.length ?? -1, Fields: Object.keys(body) }),
  }),
  route('POST /headers', {
    summary: 'Tells which headers came',
    access: 'public',
    body: Type.Object({}),
    response: Type.Object({}, { additionalProperties: true }),
    handler: ({ request }) => ({ ...request.headers }),
  }),
];

const server = during(() => startApi({ routes, deps: {}, auth: fakeAuth({}) }));

describe('a body', () => {
  const post = (body: string | Buffer, type = 'application/json') =>
    server.http
      .post('/length')
      .set('Content-Type', type)
      .serialize((value: unknown) => value as string)
      .send(body as string);

  it('must be declared as JSON in UTF-8', async () => {
    for (const type of ['application/json; charset=utf-8', 'application/JSON;charset="UTF-8"'])
      assert.deepEqual((await post('{"Text":"grüße"}', type)).body.Length, 5, type);
    for (const type of ['text/plain', 'application/json; charset=latin1', 'multipart/form-data']) {
      const answer = await post('{"Text":"x"}', type);
      assert.deepEqual([answer.status, answer.body.code], [415, 'unsupported_media_type'], type);
    }
  });

  it('may have a byte order mark in front', async () =>
    assert.equal((await post(Buffer.from('\uFEFF{"Text":"grüße"}'))).body.Length, 5));

  it('may be missing, which reads as {}', async () => {
    assert.equal((await server.http.post('/length')).body.Length, -1);
    assert.equal((await post('')).body.Length, -1);
    const bytes = 'POST /length HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}';
    const untyped = await exchangeRaw(server.port, bytes);
    assert.match(untyped, /^HTTP\/1.1 415 /);
  });

  it('is at most 100 KiB, whether its length is announced or not', async () => {
    const fits = JSON.stringify({ Text: 'x'.repeat(BODY_BYTES_MAX - 11) });
    assert.equal(Buffer.byteLength(fits), BODY_BYTES_MAX);
    assert.equal((await post(fits)).status, 200);
    const announced = await post(`${fits} `);
    assert.deepEqual([announced.status, announced.body.code], [413, 'payload_too_large']);
    const chunk = `4000\r\n${' '.repeat(0x4000)}\r\n`;
    const chunked = `${POST}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(7)}0\r\n\r\n`;
    const unannounced = await exchangeRaw(server.port, chunked);
    assert.match(unannounced, /^HTTP\/1.1 413 /);
    assert.match(unannounced, /Connection: close/);
  });

  it('that never ends gets a response and is cut off', async () => {
    const chunk = `4000\r\n${' '.repeat(0x4000)}\r\n`;
    const head = `${POST}Transfer-Encoding: chunked\r\n\r\n`;
    const answer = await exchangeRaw(server.port, head, { endless: chunk });
    assert.match(answer, /^HTTP\/1.1 413 [^]*payload_too_large/);
  });

  it('is not requested (100 Continue) if it would be refused', async () => {
    const head = `${POST}Expect: 100-continue\r\nContent-Length: `;
    assert.match(await exchangeRaw(server.port, `${head}1000000\r\n\r\n`), /^HTTP\/1.1 413 /);
    const asked = await exchangeRaw(server.port, `${head}2\r\nConnection: close\r\n\r\n{}`);
    assert.match(asked, /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 /);
  });

  it('is not compressed', async () => {
    assert.equal((await post(gzipSync('{}')).set('Content-Encoding', 'gzip')).status, 415);
    assert.equal((await post('{}').set('Content-Encoding', 'identity')).status, 200);
  });

  it('is a well-formed object', async () => {
    const broken = ['{', 'null', '[]', '"x"', '{"Text":NaN}', '\ufeff\ufeff{}', '{"Text":"\u0000"}'];
    for (const text of broken) {
      const answer = await post(text);
      assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_request'], text);
    }
    assert.equal((await post(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).status, 400);
  });

  it('is safe with any depth and any field names', async () => {
    const deep = (levels: number) => `{"Other":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    assert.equal((await post(deep(4000))).status, 200);
    assert.equal((await post(`{"Text":${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}}`)).status, 400);
    const { status, body } = await post(deep(50_000));
    const detail = 'The request body must not have more than 5000 fields and items';
    assert.deepEqual([status, body.code, body.detail], [400, 'invalid_request', detail]);
    const special = '{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}},"Text":"x"}';
    assert.deepEqual((await post(special)).body.Fields, ['Text']);
    assert.equal(({} as { admin?: boolean }).admin, undefined);
  });
});

const POST = 'POST /length HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

describe('hasTooManyValues', () => {
  const listOf = (item: string, count: number): string => `[${Array(count).fill(item).join(',')}]`;
  const fieldsOf = (count: number): string =>
    `{${Array.from({ length: count }, (_, at) => `"f${at}":0`).join(',')}}`;
  const isRefused = (text: string): boolean => hasTooManyValues(Buffer.from(text));

  it('counts fields, items and levels', () => {
    for (const make of [
      fieldsOf,
      (count: number) => listOf('"text"', count),
      (count: number) => '['.repeat(count) + ']'.repeat(count),
      (count: number) => `${'{"a":'.repeat(count)}0${'}'.repeat(count)}`,
      (count: number) => listOf('{}', count / 2),
    ]) {
      assert.equal(isRefused(make(JSON_VALUES_MAX)), false, make(4));
      assert.equal(isRefused(make(JSON_VALUES_MAX + 2)), true, make(4));
    }
  });

  it('does not count what stands in texts', () => {
    const signs = '[{,'.repeat(JSON_VALUES_MAX);
    for (const text of [`"${signs}"`, `"\\"${signs}"`, `{"a\\\\":"\\\\\\"${signs}"}`]) {
      JSON.parse(text);
      assert.equal(isRefused(text), false, text.slice(0, 12));
    }
    assert.equal(isRefused(`"\\\\"${signs}`), true);
  });
});

describe('the head of a request', () => {
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
      ['Authorization', 'Bearer a'],
      ['Content-Type', 'application/json'],
      ['Content-Length', '0'],
      ['User-Agent', 'a'],
      ['Origin', 'https://a.example'],
    ] as const) {
      const pair = [`${name}: ${value}`, `${name.toUpperCase()}: ${value}`];
      const headers = name.toLowerCase() === 'host' ? ['Host: x', pair[0] ?? ''] : ['Host: x', ...pair];
      assert.match(await post(headers), /^HTTP\/1\.1 400 [^]*"code":"invalid_request"/, name);
    }
  });

  it('keeps every line of list headers', async () => {
    const [tag, hop] = ['If-Match: ', 'X-Forwarded-For: 192.0.2.'];
    const lists = [`${tag}"1"`, `${hop}1`, `${tag}"2"`, `${hop}2`];
    const answer = await post(['Host: x', ...lists, 'X-Long-Name: 1', 'X-Long-Name: 2']);
    assert.match(answer, /"if-match":"\\"1\\", \\"2\\""/);
    assert.match(answer, /"x-forwarded-for":"192\.0\.2\.1, 192\.0\.2\.2"/);
    assert.match(answer, /"x-long-name":"1, 2"/);
  });

  it('ignores trailers', async () => {
    const typed = ['Host: x', 'Content-Type: application/json'];
    const chunked = [...typed, 'Transfer-Encoding: chunked', 'Trailer: If-Match'];
    const answer = await post(chunked, '2\r\n{}\r\n0\r\nIf-Match: "1"\r\nHost: y\r\n\r\n');
    assert.match(answer, /^HTTP\/1\.1 200 /);
    assert.doesNotMatch(answer, /"if-match"/);
    const endless = await post(chunked, `2\r\n{}\r\n0\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`);
    assert.doesNotMatch(endless, /"x":/);
  });

  it('must have valid header bytes', async () => {
    for (const line of ['If-Match : "1"', 'If-Match\u0000: 1', 'X: a\u0000b']) {
      assert.match(await post(['Host: x', line]), /^HTTP\/1\.1 400 /, JSON.stringify(line));
    }
  });
});
