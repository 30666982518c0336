import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { during, eventually, fieldsOf, turnsOf } from '@gatehouse/runtime/testing';
import { Text, Type } from '@gatehouse/schema';
import { INVALID_LINES_MAX, LINE_BYTES_MAX } from './ndjson.ts';
import { ndjson } from '../media-type.ts';
import { defineSubjects } from '../route.ts';
import { fakeAuth, exchangeRaw, startApi } from '../testing/index.ts';

/** The input of the handler below, and how it behaves. */
const seen = { lines: [] as object[], taken: 0, isOver: false, pauseMs: 0, stopAfter: Infinity };

const routes = [
  defineSubjects<object>()({})('POST /lines', {
    summary: 'Takes lines',
    access: 'public',
    body: ndjson(Type.Object({ Name: Text(10), Role: Type.Optional(Text(10)) })),
    response: Type.Object({ Lines: Type.Integer() }),
    handler: async ({ body: lines }) => {
      Object.assign(seen, { lines: [], taken: 0, isOver: false });
      try {
        for await (const line of lines) {
          if (seen.taken < 1000) seen.lines.push(line);
          seen.taken += 1;
          if (seen.pauseMs > 0) await sleep(seen.pauseMs);
          if (seen.taken >= seen.stopAfter) break;
        }
        return { Lines: seen.taken };
      } finally {
        seen.isOver = true;
      }
    },
  }),
];

describe('a stream of lines', () => {
  const server = during(() => startApi({ routes, deps: {}, auth: fakeAuth({}), clientTimeoutMs: 500 }));
  afterEach(() => Object.assign(seen, { pauseMs: 0, stopAfter: Infinity }));

  const KIND = 'application/x-ndjson';
  const post = (body: string | Buffer, type = KIND) =>
    server.http
      .post('/lines')
      .set('Content-Type', type)
      .serialize((value: unknown) => value as string)
      .send(body as string);
  const read = async (body: string | Buffer) => {
    const { status } = await post(body);
    assert.equal(status, 200);
    return seen.lines;
  };
  const HEAD = `POST /lines HTTP/1.1\r\nHost: x\r\nContent-Type: ${KIND}\r\n`;

  it('is read line by line, with any line ending', async () => {
    const ann = { number: 1, kind: 'value', value: { Name: 'Ann' } };
    assert.deepEqual(await read('{"Name":"Ann"}'), [ann]);
    const bob = { number: 4, kind: 'value', value: { Name: 'Bob' } };
    assert.deepEqual(await read('{"Name":"Ann"}\r\n\r\n  \t\n{"Name":"Bob"}\n'), [ann, bob]);
    assert.deepEqual(await read('\ufeff{"Name":"Ann"}\n'), [ann]);
    assert.deepEqual(await read(''), []);
  });

  it('has no field that is null or empty', async () => {
    const ann = { kind: 'value', value: { Name: 'Ann' } };
    assert.deepEqual(await read('{"Name":"Ann","Role":null}\n{"Name":"Ann","Role":""}\n{"Name":""}'), [
      { number: 1, ...ann },
      { number: 2, ...ann },
      { number: 3, kind: 'fault', fault: '/Name is required' },
    ]);
  });

  it('reports the errors of each line, and continues', async () => {
    const huge = JSON.stringify({ Name: 'x'.repeat(LINE_BYTES_MAX) });
    const lines = [
      '{"Name":"x',
      '[]',
      '{}',
      '{"Name":"\\ud800"}',
      huge,
      huge.repeat(30),
      '{"__proto__":{"Name":"x"}}',
      '\ufeff{"Name":"x"}',
      '{"Name":"ok","Other":1,"constructor":2}',
    ];
    const noText = Buffer.from([0xff, 0x22, 0x7d]);
    const invalid = Buffer.concat([Buffer.from(`${lines.join('\n')}\n{"Name":"`), noText]);
    const tooLong = `must not exceed ${LINE_BYTES_MAX} bytes`;
    assert.deepEqual(await read(invalid), [
      { number: 1, kind: 'fault', fault: 'is not valid JSON' },
      { number: 2, kind: 'fault', fault: 'must be a JSON object' },
      { number: 3, kind: 'fault', fault: '/Name is required' },
      { number: 4, kind: 'fault', fault: '/Name must not contain control characters or unpaired surrogates' },
      { number: 5, kind: 'fault', fault: tooLong },
      { number: 6, kind: 'fault', fault: tooLong },
      { number: 7, kind: 'fault', fault: '/Name is required' },
      { number: 8, kind: 'value', value: { Name: 'x' } },
      { number: 9, kind: 'value', value: { Name: 'ok' } },
      { number: 10, kind: 'fault', fault: 'is not valid UTF-8' },
    ]);
    assert.equal(({} as { Name?: string }).Name, undefined);
  });

  it('is refused after ten thousand invalid lines, unless a valid one is among them', async () => {
    const invalid = 'Ann,ann@example.com\n'.repeat(INVALID_LINES_MAX - 1);
    assert.equal((await post(`${invalid}\n{"Name":"Ann"}\n${invalid}${invalid}`)).status, 200);
    assert.equal(seen.taken, 3 * INVALID_LINES_MAX - 2);
    const { status, body } = await post(`\n${invalid}Ann,ann@example.com\n{"Name":"Ann"}`);
    assert.deepEqual([status, body.code], [400, 'not_ndjson']);
    assert.equal(seen.taken, INVALID_LINES_MAX - 1);
    assert.ok(seen.isOver);
  });

  it('leaves the event loop to others every few milliseconds, whatever its lines are', async () => {
    const valid = '{"Name":"Ann"}\n';
    for (const line of [valid, 'x\n', '{}\n', '\n', ' \r\n', `${'['.repeat(5000)}\n`]) {
      const body = valid + line.repeat(80_000 / line.length);
      const { totalMs, count } = await turnsOf(() => post(body));
      // Not the longest: V8 may collect garbage for longer.
      assert.ok(
        totalMs / count <= 10,
        `${JSON.stringify(line.slice(0, 20))}: ${totalMs} ms in ${count} turns`,
      );
    }
  });

  it('is independent of chunk boundaries', async () => {
    const socket = connect(server.port, '127.0.0.1');
    socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
    for (const byte of Buffer.from('{"Name":"grüße"}\n\n{"Name":"Bob"}\r\n'))
      socket.write(Buffer.concat([Buffer.from('1\r\n'), Buffer.from([byte]), Buffer.from('\r\n')]));
    socket.write('0\r\n\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    assert.match(answer.toString(), /^HTTP\/1.1 200 /);
    assert.deepEqual(seen.lines, [
      { number: 1, kind: 'value', value: { Name: 'grüße' } },
      { number: 3, kind: 'value', value: { Name: 'Bob' } },
    ]);
  });

  it('must be application/x-ndjson, not compressed', async () => {
    for (const type of ['application/json', 'text/plain', 'application/x-ndjsonp', ''])
      assert.equal((await post('{"Name":"x"}', type)).body.code, 'unsupported_media_type', type);
    assert.equal((await post('{"Name":"x"}', 'Application/X-NDJSON; charset=utf-8')).status, 200);
    assert.equal((await post(gzipSync('{"Name":"x"}')).set('Content-Encoding', 'gzip')).status, 415);
    const expecting = `${HEAD}Expect: 100-continue\r\nContent-Length: 12\r\nConnection: close\r\n\r\n{"Name":"x"}`;
    assert.match(await exchangeRaw(server.port, expecting), /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 /);
  });

  it('has no limit in length, and applies backpressure', async () => {
    const line = '{"Name":"x"}\n';
    const chunk = `${(line.length * 1000).toString(16)}\r\n${line.repeat(1000)}\r\n`;
    seen.pauseMs = 20;
    const socket = connect(server.port, '127.0.0.1');
    let sent = 0;
    socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
    while (socket.write(chunk) && sent < 5000) sent += 1;
    await eventually(() => seen.taken >= 3);
    // Far more than the kernel's buffers can hold is still waiting on our side of the connection.
    for (let more = 0; more < 4000; more += 1) socket.write(chunk);
    await eventually(() => seen.taken >= 6);
    assert.ok(socket.writableLength > 20_000_000, `${socket.writableLength} bytes wait`);
    socket.destroy();
    // Reading ends with the chunk that had arrived.
    seen.pauseMs = 0;
    await eventually(() => seen.isOver);
  });

  it('may take longer than any other request while data arrives', async () => {
    seen.pauseMs = 600;
    assert.equal((await post('{"Name":"x"}\n'.repeat(9))).body.Lines, 9);
  });

  it('ends with a response when the client pauses for too long', async () => {
    const unfinished = `${HEAD}Transfer-Encoding: chunked\r\n\r\nd\r\n{"Name":"x"}\n\r\n`;
    const answer = await exchangeRaw(server.port, unfinished, { silenceMs: 2000 });
    assert.match(answer, /^HTTP\/1.1 408 [^]*Connection: close[^]*request_timeout/);
    await eventually(() => seen.isOver);
    assert.equal(seen.taken, 1);
  });

  it('that is cut off ends the handler, without the last partial line, and without an error', async () => {
    const from = server.log.lines.length;
    const socket = connect(server.port, '127.0.0.1');
    socket.write(`${HEAD}Content-Length: 1000\r\n\r\n{"Name":"x"}\n{"Name":"y"}`);
    await eventually(() => seen.taken === 1 && !seen.isOver);
    socket.destroy();
    await once(socket, 'close');
    await eventually(() => seen.isOver);
    assert.equal(seen.taken, 1);
    const logged = () => server.log.lines.slice(from);
    await eventually(() => logged().some(({ message }) => message === 'request'));
    assert.deepEqual(fieldsOf(logged(), 'level', 'status'), [['info', 400]]);
  });

  it('may be abandoned by its handler, which still responds', async () => {
    seen.stopAfter = 1;
    assert.equal((await post('{"Name":"x"}\n'.repeat(200_000))).body.Lines, 1);
  });
});

describe('a body that comes too slowly', () => {
  it('is refused, and its connection is closed', async () => {
    const route = defineSubjects<object>()({});
    const facts = { summary: 'Takes a body', access: 'public', response: Type.Object({}) } as const;
    const posts = [
      route('POST /body', { ...facts, body: Type.Object({}), handler: () => ({}) }),
      route('POST /none', { ...facts, handler: () => ({}) }),
    ];
    const server = await startApi({ routes: posts, deps: {}, auth: fakeAuth({}), clientTimeoutMs: 400 });
    const slow = (path: string) => {
      const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
      return exchangeRaw(server.port, `${head}Content-Length: 9\r\n\r\n{`, { silenceMs: 5000 });
    };
    const begun = performance.now();
    assert.match(await slow('/body'), /^HTTP\/1.1 408 [^]*Connection: close[^]*request_timeout/);
    // This body is not read; the connection is closed anyway.
    assert.match(await slow('/none'), /^HTTP\/1.1 200 /);
    assert.ok(performance.now() - begun < 4000);
    await server.stop();
  });
});
