/** Methods: existing ones, possible ones, and invalid ones. */
export const METHODS: readonly string[] = [
  ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'PROPFIND', 'BREW'],
  ...[
    'get',
    'GETT',
    '',
    ' GET',
    'GE\0T',
    'GE"T',
    'GE{T',
    'GE\x80T',
    'A'.repeat(9000),
    '\r\nGET',
    '\ufeffGET',
  ],
];

/** Versions and line ends of the first line. */
export const VERSIONS: readonly string[] = [
  ...[' HTTP/1.0', ' HTTP/1.2', ' HTTP/0.9', ' HTTP/2', ' HTTP/9.9', ' HTTP/1', ' http/1.1', ' SIP/2.0', ''],
  ...[' HTTP/1.1 x', '  HTTP/1.1', '\tHTTP/1.1', ' HTTP/1.1\r', ' HTTP/1.1\0', ' HTTP/9999999999999999.1'],
];

/** What is put behind a path or into it: encodings, dots, separators, and a lot. */
const ODD_ENDS = [
  ...[
    '%00',
    '%0d%0aX-Injected:%20yes',
    '%ff',
    '%c0%af',
    '%ed%a0%80',
    '%',
    '%zz',
    '%u0041',
    '%252e',
    '%2e%2E',
    '%2f',
  ],
  ...[
    '%5c..',
    '..',
    '../../',
    '..;',
    ';x=y',
    '//',
    '/./',
    '\\',
    '*',
    '"',
    '<',
    '{',
    '__proto__',
    '\x80',
    '\u00e9',
  ],
  ...['?', '??', '?&&==', '?%ff', '?a[]=1', '?a[b][c]=1', '?__proto__=1', '#', '#?a', '?a\tb'],
  ...[
    'a'.repeat(3000),
    '/'.repeat(3000),
    '../../'.repeat(1500),
    `?${'a&'.repeat(2500)}`,
    `?a=${'b'.repeat(5000)}`,
  ],
];

/** Request targets in every form of RFC 9112 §3.2, valid and invalid, for an existing path. */
export function targets(path: string): string[] {
  const cut = path.lastIndexOf('/');
  return [
    ...[
      '*',
      '/',
      '',
      '//',
      '/*',
      '.',
      path.slice(1),
      'example.com:443',
      '[::1]:80',
      'user@example.com:80',
      '[::',
    ],
    ...[
      'http://x',
      'HTTP://X',
      'http://',
      'http:',
      'http://x:99999',
      'ftp://x',
      'http://a:b@x:1',
      '//x',
      '://x',
    ].map((origin) => `${origin}${path}`),
    ...ODD_ENDS.flatMap((odd) => [`${path}${odd}`, `${path.slice(0, cut)}/${odd}${path.slice(cut)}`]),
  ];
}
