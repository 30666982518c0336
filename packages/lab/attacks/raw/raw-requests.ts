import type { Target } from '../target.ts';

/** A port of the system, and a path there that accepts a body without a token. */
export interface Listener {
  name: string;
  port: number;
  path: string;
}

export function listenersOf({ stack }: Pick<Target, 'stack'>): Listener[] {
  const { urls, baseUrl, adminUrl } = stack.facts;
  return [
    ['core', urls.core, '/account/login'],
    ['portal', urls.portal, '/account/register-guest'],
    ['admin', urls.admin, '/api/auth/demo/renew'],
    ['gateway', baseUrl, '/account/login'],
    ['gateway of Admin', adminUrl, '/api/auth/demo/renew'],
  ].map(([name = '', url = '', path = '']) => ({ name, path, port: Number(new URL(url).port) }));
}

/** The bytes of a request. `isWhole`: the request is complete, however the bytes are interpreted. */
export interface RawRequest {
  name: string;
  bytes: Buffer;
  isWhole: boolean;
}

/** Unusual requests to a listener: one of each kind of method, target, version, host and framing, and no HTTP. */
export function rawRequests({ path }: Pick<Listener, 'path'>): RawRequest[] {
  const withBody = (bytes: string) =>
    latin(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n${bytes}`,
    );
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
    ...FRAMINGS.map(({ name, bytes, isWhole }) => ({
      name: `framing: ${name}`,
      bytes: withBody(bytes),
      isWhole,
    })),
  ];
}

function withoutBody(name: string, first: string, host = 'Host: x'): RawRequest {
  return {
    name: `${name}: ${JSON.stringify(first.slice(0, 80))} ${JSON.stringify(host.slice(0, 80))}`,
    bytes: latin(`${first}\r\nConnection: close\r\n${host}\r\n\r\n`),
    isWhole: true,
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

function latin(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

const METHODS = [
  ...'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE CONNECT PROPFIND BREW get GETT GE"T GE{T'.split(' '),
  ...['', ' GET', 'GE\0T', 'GE\x80T', 'A'.repeat(9000), '\r\nGET', '\ufeffGET'],
];

const VERSIONS = [
  ...[' HTTP/1.0', ' HTTP/1.2', ' HTTP/0.9', ' HTTP/2', ' HTTP/9.9', ' HTTP/1', ' http/1.1', ' SIP/2.0', ''],
  ...[' HTTP/1.1 x', '  HTTP/1.1', '\tHTTP/1.1', ' HTTP/1.1\r', ' HTTP/1.1\0', ' HTTP/9999999999999999.1'],
];

/** Valid and invalid hosts (RFC 9110 §7.2). */
const HOSTS = [
  ...'x X x. . .. - _ x:80 x: :80 x:99999 x:-1 x:http x:80:80 x,y x/y x?y x#y a@x http://x x%00 x%2f'.split(
    ' ',
  ),
  ...'[::1] [::1]:80 [::1 ::1 [v1.x] 127.0.0.1 0x7f.1 2130706433 169.254.169.254 core admin localhost'.split(
    ' ',
  ),
  ...'é.example xn-- xn--a x\\y x" <x> x;y * $host'.split(' '),
  ...['', ' ', 'x y', 'x\t', 'x\0', '\x80', '\xff', 'example.com:80, x'],
  ...['a'.repeat(64), 'a.'.repeat(200), 'a'.repeat(6000)],
];

/** What is put behind a path or into it: encodings, dots, separators, and a lot. */
const ODD_ENDS = [
  ...'%00 %0d%0aX-Injected:%20yes %ff %c0%af %ed%a0%80 % %zz %u0041 %252e %2e%2E %2f %5c..'.split(' '),
  ...'.. ../../ ..; ;x=y // /./ \\ * " < { __proto__ \x80 \u00e9'.split(' '),
  ...['?', '??', '?&&==', '?%ff', '?a[]=1', '?a[b][c]=1', '?__proto__=1', '#', '#?a', '?a\tb'],
  ...['a'.repeat(3000), '/'.repeat(3000), '../../'.repeat(1500)],
  ...[`?${'a&'.repeat(2500)}`, `?a=${'b'.repeat(5000)}`],
];
const ODD_ORIGINS = 'http://x HTTP://X http:// http: http://x:99999 ftp://x http://a:b@x:1 //x ://x'.split(
  ' ',
);

/** Request targets in every form of RFC 9112 §3.2, valid and invalid, for an existing path. */
function targets(path: string): string[] {
  const cut = path.lastIndexOf('/');
  return [
    ...['', path.slice(1)],
    ...'* / // /* . example.com:443 [::1]:80 user@example.com:80 [::'.split(' '),
    ...ODD_ORIGINS.map((origin) => `${origin}${path}`),
    ...ODD_ENDS.flatMap((odd) => [`${path}${odd}`, `${path.slice(0, cut)}/${odd}${path.slice(cut)}`]),
  ];
}

const chunked = (body: string) => `Transfer-Encoding: chunked\r\n\r\n${body}`;
const VALID_CHUNKS = '2\r\n{}\r\n0\r\n\r\n';
const CHUNKS: Record<string, string> = {
  'an extension': '2;a=b\r\n{}\r\n0\r\n\r\n',
  'a quoted extension': '2;a="b;\\"c"\r\n{}\r\n0\r\n\r\n',
  'an extension without a name': '2;\r\n{}\r\n0;;;\r\n\r\n',
  'an extension with NUL': '2;\0\r\n{}\r\n0\r\n\r\n',
  'an extension with a line feed': '2;a\nb\r\n{}\r\n0\r\n\r\n',
  'a long extension': `2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
  'long extensions': `${`1;${'a'.repeat(1000)}\r\n \r\n`.repeat(30)}0\r\n\r\n`,
  'zeros before its size': `${'0'.repeat(200)}2\r\n{}\r\n0\r\n\r\n`,
  'a size in capitals': `A\r\n{"a":1234}\r\n0\r\n\r\n`,
  'spaces behind its size': '2  \r\n{}\r\n0\r\n\r\n',
  'a space before its size': ' 2\r\n{}\r\n0\r\n\r\n',
  'a size with 0x': '0x2\r\n{}\r\n0\r\n\r\n',
  'a size with a sign': '+2\r\n{}\r\n0\r\n\r\n',
  'a size below zero': '-2\r\n{}\r\n0\r\n\r\n',
  'a size beyond 64 bits': '10000000000000002\r\n{}\r\n0\r\n\r\n',
  'a size in words': 'two\r\n{}\r\n0\r\n\r\n',
  'line feeds alone': '2\n{}\n0\n\n',
  'a carriage return alone': '2\r{}\r\n0\r\n\r\n',
  'more than its size': '1\r\n{}\r\n0\r\n\r\n',
  'a trailer': '2\r\n{}\r\n0\r\nX-Later: yes\r\n\r\n',
  'a trailer that is no header': '2\r\n{}\r\n0\r\nX Later\r\n\r\n',
  'a trailer with a length': '2\r\n{}\r\n0\r\nContent-Length: 99\r\n\r\n',
  'a trailer with NUL': '2\r\n{}\r\n0\r\nX: \0\r\n\r\n',
  'a long trailer': `2\r\n{}\r\n0\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
  'a thousand trailers': `2\r\n{}\r\n0\r\n${'X: y\r\n'.repeat(1000)}\r\n`,
  'a byte each': `${'1\r\n \r\n'.repeat(2000)}2\r\n{}\r\n0\r\n\r\n`,
  'no chunk': '0\r\n\r\n',
};
const OPEN_CHUNKS: Record<string, string> = {
  'no end': '2\r\n{}\r\n',
  'no size': '\r\n{}\r\n0\r\n\r\n',
  'half a chunk': '99\r\n{}',
  'no trailer’s end': '0\r\n',
};
const CODINGS = [
  ...'Chunked|chunked | chunked|chunked,|,chunked|"chunked"|chunked;a=b|x|xchunked|'.split('|'),
  ...['gzip, chunked', 'chunked, identity', 'identity', 'chunked\r\nTransfer-Encoding: x', 'chunked\0'],
  ...['chunked\v', 'gzip', 'deflate', 'chunked\r\nTransfer-Encoding: identity', '\tchunked', '\r\n chunked'],
];
const LENGTHS = [
  ...'2 02 +2 -2 -0 0x2 2.0 2e0 2,2 "2" two 18446744073709551618 1_0 2;'.split(' '),
  ...['', ' ', '2 ', '2, 3', '\u0662', '2\0', '2 2', '9'.repeat(16), '9'.repeat(30), '9'.repeat(3000)],
  ...['2\r\nContent-Length: 2', '2\r\nContent-Length: 3', '0\r\nContent-Length: 2'],
  '2\r\ncontent-length: +2',
];
const BOTH = [
  'Content-Length: 2\r\nTransfer-Encoding: chunked',
  'Transfer-Encoding: chunked\r\nContent-Length: 2',
];

/** Ways to announce the length of a body, each with a body. `isWhole`: everything that was announced is sent. */
export const FRAMINGS: readonly { name: string; bytes: string; isWhole: boolean }[] = [
  ...Object.entries(CHUNKS).map(([name, body]) => ({
    ...{ name: `chunks with ${name}`, bytes: chunked(body), isWhole: true },
  })),
  ...Object.entries(OPEN_CHUNKS).map(([name, body]) => ({
    ...{ name: `chunks with ${name}`, bytes: chunked(body), isWhole: false },
  })),
  ...[
    ...CODINGS.map((coding) => `Transfer-Encoding: ${coding}\r\n\r\n${VALID_CHUNKS}`),
    `Transfer-Encoding : chunked\r\n\r\n${VALID_CHUNKS}`,
    ...LENGTHS.map((length) => `Content-Length: ${length}\r\n\r\n{}`),
    'Content-Length : 2\r\n\r\n{}',
    ...BOTH.map((both) => `${both}\r\n\r\n${VALID_CHUNKS}`),
  ].map((bytes) => ({ name: JSON.stringify(bytes.slice(0, 60)), bytes, isWhole: false })),
];
