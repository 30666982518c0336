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

/** All unusual requests to a listener; several thousand. */
export function rawRequests({ path, field }: Pick<Listener, 'path' | 'field'>): RawRequest[] {
  const plain = (name: string, first: string, lines = '', isWhole = true): RawRequest => ({
    name: `${name}: ${JSON.stringify(first.slice(0, 80))} ${JSON.stringify(lines.slice(0, 80))}`,
    bytes: latin(
      `${first}\r\n${standing(lines, ['Host', 'Connection'])}${lines}${lines === '' ? '' : '\r\n'}\r\n`,
    ),
    isWhole,
  });
  const posted = (name: string, lines: string, isWhole: boolean): RawRequest => ({
    name: `${name}: POST ${JSON.stringify(lines.slice(0, 80))}`,
    bytes: latin(
      `POST ${path} HTTP/1.1\r\n${standing(lines, ['Host', 'Connection', 'Content-Type', 'Content-Length'])}${lines}\r\n\r\n{}`,
    ),
    isWhole,
  });
  const withBody = (end: string, body: Buffer, type = 'application/json'): Buffer =>
    Buffer.concat([
      latin(`POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${type}\r\n${end}`),
      body,
    ]);
  return [
    ...METHODS.flatMap((method) =>
      ['/ping', path, '*'].map((target) => plain('method', `${method} ${target} HTTP/1.1`)),
    ),
    ...['GET', 'POST', 'OPTIONS'].flatMap((method) =>
      targets(path).map((target) => plain('target', `${method} ${target} HTTP/1.1`)),
    ),
    ...VERSIONS.map((version) => plain('version', `GET /ping${version}`)),
    ...HOSTS.flatMap((host) =>
      ['1.0', '1.1'].map((version) => plain('host', `GET ${path} HTTP/${version}`, `Host: ${host}`)),
    ),
    ...headerLines().flatMap(([name, lines]) => [
      plain(`header ${name}`, `GET ${path} HTTP/1.1`, lines, !FRAMING.test(lines)),
      posted(`header ${name}`, lines, !FRAMING.test(lines)),
    ]),
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
