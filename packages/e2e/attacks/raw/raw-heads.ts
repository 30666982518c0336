import * as fc from 'fast-check';

/** Every header that a service, the gateway or Node reads, with a meaningful value. */
export const READ: Readonly<Record<string, string>> = {
  Host: 'x',
  Authorization: 'Bearer a.b.c',
  'Content-Type': 'application/json',
  'Content-Length': '2',
  'Content-Encoding': 'identity',
  'Transfer-Encoding': 'chunked',
  TE: 'trailers',
  Trailer: 'X-Later',
  Connection: 'close',
  'Keep-Alive': 'timeout=1',
  'Proxy-Connection': 'close',
  'Proxy-Authorization': 'Basic YTpi',
  Upgrade: 'websocket',
  'HTTP2-Settings': 'AAMAAABkAAQAAP__',
  Expect: '100-continue',
  Forwarded: 'for=192.0.2.1;host=x;proto=https',
  'X-Forwarded-For': '192.0.2.1',
  'X-Forwarded-Host': 'x',
  'X-Forwarded-Proto': 'https',
  'X-Real-IP': '192.0.2.1',
  Via: '1.1 x',
  Traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  Tracestate: 'a=b',
  'If-Match': '"1"',
  'If-None-Match': '"1"',
  'If-Modified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT',
  Range: 'bytes=0-1',
  Accept: 'application/json',
  'Accept-Encoding': 'gzip',
  'Accept-Language': 'de-AT, en;q=0.5',
  Cookie: 'a=b; gatehouse_sso=x',
  Origin: 'http://x',
  Referer: 'http://x/',
  'Sec-Fetch-Site': 'same-origin',
  'Last-Event-ID': 'MDE5',
  'User-Agent': 'attacks',
  'Access-Control-Request-Method': 'POST',
  'Access-Control-Request-Headers': 'authorization',
  'X-HTTP-Method-Override': 'DELETE',
  'X-Original-URL': '/admin/account',
};

/** Values with a meaning in some header, or that no header may have. */
const VALUES = [
  ...',,,, "unclosed \\ * -1 1e400 %0d%0aX:%20y __proto__ Bearer gzip identity h2c authorization bytes=9-1'.split(
    ' ',
  ),
  ...'application/json; for="[::1 [::1]:80 999.1.1.1 fe80::1%25 bytes=0-,1-,2-'.split(' '),
  ...['', ' ', 'a\0b', '\x7f', '\xff\xfe', '\xc3\x28', 'a\rb', 'a\nb', 'a\r\n b', '\r\n b', 'Bearer a b'],
  ...['Basic Og==', 'Bearer sat_', 'a=b; =c; ;;', 'application/json; charset=utf-16', 'chunked, chunked'],
  'close, upgrade',
];

/** Lines of a head with an unusual header: its value, how it is written, repeated or folded, or its length. */
export function headerLines(): fc.Arbitrary<string> {
  const value = fc.oneof(
    fc.constantFrom(...VALUES),
    fc.string({
      unit: fc.integer({ min: 0, max: 0xff }).map((code) => String.fromCharCode(code)),
      maxLength: 40,
    }),
    fc.constantFrom('a', ' ', ',', '"', ';', '%').map((sign) => `${sign.repeat(6000)}x`),
  );
  const form = fc.constantFrom<(name: string, value: string, usual: string) => string>(
    (name, odd) => `${name}: ${odd}`,
    (name, odd, usual) => `${name}: ${usual}\r\n${name.toUpperCase()}: ${odd}`,
    (name, _odd, usual) => `${name} : ${usual}`,
    (name, _odd, usual) => ` ${name}: ${usual}`,
    (name, _odd, usual) => `${name}:\r\n ${usual}`,
    (name, _odd, usual) => `${name}\0: ${usual}`,
    (name, _odd, usual) => `${name.replaceAll('-', '_')}: ${usual}`,
    (name, _odd, usual) => `${name}: ${usual}\n`,
    (name) => name,
  );
  return fc.oneof(
    {
      weight: 30,
      arbitrary: fc
        .tuple(fc.constantFrom(...Object.entries(READ)), value, form)
        .map(([[name, usual], odd, written]) => written(name, odd, usual)),
    },
    { weight: 1, arbitrary: fc.constantFrom(':', ' ', '\0', '\x80: x', 'X', '[x]: y', 'x y: z', 'X: y\n\n') },
    {
      weight: 1,
      arbitrary: fc.constantFrom(99, 101, 1000).map((count) => 'X: y\r\n'.repeat(count).trimEnd()),
    },
  );
}
