import * as fc from 'fast-check';
import { rawBodies } from './raw-bodies.ts';
import { framings } from './raw-framings.ts';
import { headerLines, READ } from './raw-heads.ts';
import { HOSTS } from './raw-hosts.ts';
import { METHODS, targets, VERSIONS } from './raw-targets.ts';

/** A port of the system, a path there that accepts a body without a token, and a field of this body. */
export interface Listener {
  name: string;
  port: number;
  path: string;
  field: string;
}

/** The bytes of a request. `isWhole`: the request is complete, however the bytes are interpreted. */
export interface RawRequest {
  name: string;
  bytes: Buffer;
  isWhole: boolean;
}

/** Unusual requests to a listener: one of each kind of method, target, version, host, body and framing, and no HTTP. */
export function rawRequests({ path, field }: Pick<Listener, 'path' | 'field'>): RawRequest[] {
  const withBody = (end: string, body: Buffer, type = 'application/json'): Buffer =>
    Buffer.concat([
      latin(`POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${type}\r\n${end}`),
      body,
    ]);
  return [
    ...METHODS.map((method) => withoutBody('method', `${method} ${path} HTTP/1.1`)),
    ...['GET', 'POST'].flatMap((method) =>
      targets(path).map((target) => withoutBody('target', `${method} ${target} HTTP/1.1`)),
    ),
    ...VERSIONS.map((version) => withoutBody('version', `GET /ping${version}`)),
    ...HOSTS.flatMap((host) =>
      ['1.0', '1.1'].map((version) => withoutBody('host', `GET ${path} HTTP/${version}`, `Host: ${host}`)),
    ),
    ...NO_HTTP.map((text) => ({
      name: `no HTTP: ${JSON.stringify(text.slice(0, 40))}`,
      bytes: latin(text),
      isWhole: false,
    })),
    ...rawBodies(field).map(({ name, bytes, type }) => ({
      name: `body: ${name}`,
      bytes: withBody(`Content-Length: ${bytes.length}\r\n\r\n`, bytes, type),
      isWhole: true,
    })),
    ...framings().map(({ name, bytes, isWhole }) => ({
      name: `framing: ${name}`,
      bytes: withBody(bytes, Buffer.alloc(0)),
      isWhole,
    })),
  ];
}

/** Requests with an unusual header, with or without a body. */
export function rawHeads({ path }: Pick<Listener, 'path'>): fc.Arbitrary<RawRequest> {
  return fc.tuple(headerLines(), fc.boolean()).map(([lines, hasBody]) => {
    if (!hasBody) return withoutBody('header', `GET ${path} HTTP/1.1`, lines);
    const others = standing(lines, ['Host', 'Connection', 'Content-Type', 'Content-Length']);
    return {
      name: `header: POST ${JSON.stringify(lines.slice(0, 80))}`,
      bytes: latin(`POST ${path} HTTP/1.1\r\n${others}${lines}\r\n\r\n{}`),
      isWhole: !FRAMING.test(lines),
    };
  });
}

function withoutBody(name: string, first: string, lines = ''): RawRequest {
  return {
    name: `${name}: ${JSON.stringify(first.slice(0, 80))} ${JSON.stringify(lines.slice(0, 80))}`,
    bytes: latin(
      `${first}\r\n${standing(lines, ['Host', 'Connection'])}${lines}${lines === '' ? '' : '\r\n'}\r\n`,
    ),
    isWhole: !FRAMING.test(lines),
  };
}

const NO_HTTP = [
  'GET /ping HTTP/1.1\r\n\r\n',
  'GARBAGE\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'.padEnd(80, '\0'),
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  `${'A'.repeat(70_000)}\r\n\r\n`,
  `GET /ping HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(70_000)}\r\n\r\n`,
];

/** The headers that define where a body ends. */
const FRAMING = /content.length|transfer.encoding/i;

/** The usual headers of a request, except those that `lines` contain. */
function standing(lines: string, names: readonly string[]): string {
  const given = lines.toLowerCase();
  const missing = names.filter((name) => !given.includes(name.toLowerCase()));
  return missing.map((name) => `${name}: ${READ[name] ?? ''}\r\n`).join('');
}

function latin(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}
