/** Bytes that are valid or invalid in a token (RFC 9110 §5.6.2), used in the middle of a method. */
const SEPARATORS = '\0\t"(),/:;<=>?@[\\]{}\x7f\x80\xff!#$%&*+-.^_`|~';

/** Methods: existing ones, possible ones, and invalid ones. */
export const METHODS: readonly string[] = [
  ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'],
  ...['PROPFIND', 'MKCOL', 'LOCK', 'SEARCH', 'PURGE', 'LINK', 'M-SEARCH', 'QUERY', 'PRI', 'SOURCE', 'BREW'],
  ...['get', 'Get', 'POst', 'GETT', 'G', '', ' GET', 'GET GET', 'A'.repeat(33), 'A'.repeat(9000)],
  ...Array.from(SEPARATORS, (sign) => `GE${sign}T`),
  ...['\u00c7', '__proto__', 'constructor', 'HTTP/1.1', '\ufeffGET', '\r\nGET', '\n\nGET'],
];

/** Versions and line ends of the first line. */
export const VERSIONS: readonly string[] = [
  ...[' HTTP/1.0', ' HTTP/1.2', ' HTTP/0.9', ' HTTP/2', ' HTTP/2.0', ' HTTP/3.0', ' HTTP/1.', ' HTTP/1'],
  ...[
    ' HTTP/11.1',
    ' HTTP/1.11',
    ' HTTP/-1.1',
    ' http/1.1',
    ' HTTPS/1.1',
    ' ICE/1.0',
    ' RTSP/1.0',
    ' SIP/2.0',
  ],
  ...[
    '',
    ' ',
    ' HTTP',
    ' HTTP/',
    ' HTTP/1.1 x',
    ' HTTP/1.1 HTTP/1.1',
    '  HTTP/1.1',
    '\tHTTP/1.1',
    ' HTTP/1.1 ',
  ],
  ...[' HTTP/1.1\r', ' HTTP/1.1\0', ' HTTP/\u0661.1', ' HTTP/9999999999999999.1'],
];

/** Encodings that replace a segment or follow one. */
const ENCODINGS = [
  ...['%00', '%0a', '%0d%0aX-Injected:%20yes', '%20', '%7f', '%80', '%ff', '%c0%80', '%c0%af', '%c1%9c'],
  ...['%e0%80%af', '%ed%a0%80', '%ed%b0%80', '%ef%bf%be', '%f4%90%80%80', '%f8%88%80%80%80', '%fe', '%fe%ff'],
  ...[
    '%',
    '%%',
    '%2',
    '%zz',
    '%0x',
    '%u0041',
    '%u002f',
    '%25%30%30',
    '%2500',
    '%252e',
    '%2e',
    '%2E%2e',
    '%2f',
  ],
  ...[
    '%5c',
    '%5c..',
    '..',
    '../../',
    '.',
    '../',
    '..;',
    ';x=y',
    ';/',
    '//',
    '///',
    '/../',
    '/./',
    '\\',
    '\\..\\',
  ],
  ...[
    '*',
    '~',
    '$',
    '|',
    '^',
    '`',
    '"',
    "'",
    '<',
    '>',
    '{',
    '}',
    '[',
    ']',
    '(',
    ')',
    '!',
    '@',
    ':',
    ',',
    '+',
    '=',
  ],
  ...[
    '__proto__',
    'constructor',
    'undefined',
    'null',
    'NaN',
    '-0',
    '1e400',
    '\x80',
    '\xff',
    '\xc3\x28',
    '\u00e9',
  ],
  ...['a'.repeat(3000), '%61'.repeat(1500), '/'.repeat(3000), '../../'.repeat(1500), '%2e%2e%2f'.repeat(500)],
];

const QUERIES = [
  ...[
    '?',
    '??',
    '?&',
    '?=',
    '?&&==',
    '?%',
    '?%00',
    '?%ff',
    '?a=%',
    '?a=%00',
    '?a[]=1',
    '?a[b][c]=1',
    '?__proto__=1',
  ],
  ...[
    '?includeHeaders=true&includeHeaders=false',
    '?includeHeaders[]=true',
    '?includeHeaders=TRUE',
    '?a#b',
    '#',
    '#?a',
  ],
  ...[
    '?\xff',
    '?a=\x80',
    '?includeHeaders=%74%72%75%65',
    '?includeHeaders=\u0442rue',
    `?a=${'b'.repeat(5000)}`,
  ],
  ...[
    `?${'a&'.repeat(2500)}`,
    `?${'%'.repeat(3000)}`,
    '?a\tb',
    '?a"b',
    '?a=1?b=2',
    '?constructor[prototype][x]=1',
  ],
];

/** Request targets in every form of RFC 9112 §3.2, valid and invalid, for an existing path. */
export function targets(path: string): string[] {
  const cut = path.lastIndexOf('/');
  return [
    path,
    ...['*', '/', '', '//', '/*', '**', ':', '?', '.', '..', path.slice(1)],
    ...[
      'example.com',
      'example.com:443',
      '127.0.0.1:80',
      '[::1]:80',
      ':80',
      'user@example.com:80',
      '[',
      '[::',
    ],
    ...absolutes(path),
    ...ENCODINGS.flatMap((odd) => [
      `${path}${odd}`,
      `${path}/${odd}`,
      `${path.slice(0, cut)}/${odd}${path.slice(cut)}`,
    ]),
    ...ENCODINGS.slice(0, 40).map((odd) => `/person/${odd}/1`),
    ...QUERIES.map((query) => `${path}${query}`),
  ];
}

function absolutes(path: string): string[] {
  const origins = [
    'http://x',
    'http://x:80',
    'https://x',
    'HTTP://X',
    'http://',
    'http:///',
    'http:',
    'http://x:99999',
  ];
  const odd = [
    'ftp://x',
    'file://',
    'ws://x',
    'javascript:',
    'http://a@x',
    'http://a:b@x:1',
    'http://[::1]',
    'http://[::1',
  ];
  const others = [
    'http://x\\',
    'http://x:0',
    'http://x:',
    'http://%00',
    'http://\xff',
    'http:x',
    '//x',
    'x://',
    '://x',
  ];
  return [...origins, ...odd, ...others].map((origin) => `${origin}${path}`);
}
