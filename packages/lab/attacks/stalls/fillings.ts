export interface Filling {
  name: string;
  of: (bytes: number) => string;
}

function pieces(piece: string | ((at: number) => string), open = '', close = '', by = ''): Filling {
  const at = typeof piece === 'string' ? () => piece : piece;
  return {
    name: `${open}${at(0)}${by}${at(1)}${by}…${close}`,
    of: (bytes) => {
      const parts: string[] = [];
      let left = bytes - Buffer.byteLength(open + close);
      for (let count = 0; ; count += 1) {
        const next = at(count);
        left -= Buffer.byteLength(next) + by.length;
        if (left < 0) break;
        parts.push(next);
      }
      return `${open}${parts.join(by)}${close}`;
    },
  };
}

/** Levels around nothing, one within the other. */
function levels(open: string, close: string, before = '', after = ''): Filling {
  return {
    name: `${before}${open}${open}…${after}`,
    of: (bytes) => {
      const depth = Math.floor((bytes - before.length - after.length - 1) / (open.length + close.length));
      return `${before}${open.repeat(depth)}0${close.repeat(depth)}${after}`;
    },
  };
}

const short = (at: number): string => at.toString(36);

/** Text on which parsers and regular expressions may start over at every character, for every place that takes text. */
export const TEXTS: readonly Filling[] = [
  ...Array.from(' \t,;="\\/:-.*%0a[({<&|+~@_').map((sign) => pieces(sign)),
  ...'\x80 \xff a, a= a=b& "" \\" %00 %41 %c3%28 ../ ﷺ e\u0301'.split(' ').map((piece) => pieces(piece)),
  pieces('; a'),
  ...[',', ';', '&', '; ', '/', '.', ' '].map((by) => pieces((at) => `${short(at)}=${at % 10}`, '', '', by)),
  // Proxies that are trusted.
  pieces('127.0.0.1', '', '', ','),
  levels('[', ']'),
  levels('{"a":', '}'),
  levels('(', ')'),
];

export const DOCUMENTS: readonly Filling[] = [
  pieces((at) => `"${short(at)}":0`, '{', '}', ','),
  pieces((at) => `"${at}":0`, '{', '}', ','),
  pieces((at) => `"${(at * 1_000_003) % 4_294_967_291}":0`, '{', '}', ','),
  pieces((at) => `"${short(at)}":{}`, '{', '}', ','),
  pieces((at) => `"${short(at)}":"${'x'.repeat(30)}"`, '{', '}', ','),
  // As many fields and items as a body may have.
  pieces((at) => `"${short(at).padStart(17, 'k')}":0`, '{', '}', ','),
  pieces((at) => `"${short(at).padStart(17, 'k')}":{}`, '{"a":[{', '}]}', ','),
  pieces((at) => `{"${short(at)}":"${'x'.repeat(36)}"}`, '{"a":[', ']}', ','),
  ...['a', '', '__proto__', 'Email'].map((name) => pieces(`"${name}":0`, '{', '}', ',')),
  levels('[', ']', '{"a":', '}'),
  levels('{"a":', '}'),
  ...['[', '{"a":', '"', ',', ':', '{', '\\', ' ', '\n', '0', '-', '\\u0041'].map((piece) => pieces(piece)),
  ...['a', ' ', '\\u0041', '\\n', '\\', 'é', 'ﷺ', '\\ud800'].map((piece) => pieces(piece, '{"a":"', '"}')),
  ...['1', '1e'].map((piece) => pieces(piece, '{"a":', '}')),
];

/** Values of one field in a JSON body that is valid otherwise. */
export const VALUES: readonly Filling[] = [
  ...[' ', ...'a . @ - / ; a@ xn-- %41 \\u0000 \\n é ﷺ e\u0301 \\ud83d\\ude00'.split(' ')].map((piece) =>
    pieces(piece, '"', '"'),
  ),
  ...['0', '""', '[]', '{}', '"a@example.com"', '"019a0000-0000-7000-8000-000000000000"'].map((item) =>
    pieces(item, '[', ']', ','),
  ),
  pieces((at) => `"${short(at)}@example.com"`, '[', ']', ','),
  pieces((at) => `{"${short(at)}":0}`, '[', ']', ','),
  pieces((at) => `"${short(at)}":0`, '{', '}', ','),
  levels('[', ']'),
  levels('{"a":', '}'),
  pieces('9'),
];

export const PAIRS: readonly Filling[] = [
  ...['a', 'a=', 'a=1', '', '=', '%', '%41=%41', '+', 'a[b]=c', 'role=Admin'].map((pair) =>
    pieces(pair, '', '', '&'),
  ),
  pieces((at) => short(at), '', '', '&'),
  ...['a', '%41', '%', '%c3%28', '+', '[', '=', '?', ';'].map((piece) => pieces(piece, 'a=')),
  // As many pairs as a query may have.
  ...['a', '%41', '+'].map((piece) =>
    pieces((at) => `${at}=${piece.repeat(310 / piece.length)}`, '', '', '&'),
  ),
];

export const ENCODED: readonly Filling[] = DOCUMENTS.map(({ name, of }) => ({
  name: `base64url of ${name}`,
  of: (bytes) => Buffer.from(of(Math.floor((bytes * 3) / 4))).toString('base64url'),
}));

export const LINES: readonly Filling[] = [
  ...['', 'x', '{}', '[]', ' \r', '"', 'Ann,ann@example.com', '{"Email":"a@example.com"}', '\ufeff'].map(
    (line) => pieces(`${line}\n`),
  ),
  pieces((at) => `{"Email":"${short(at)}@example.com","${short(at)}":${at}}\n`),
  pieces((at) => `{"Email":"${short(at)}@example.com","PasswordHash":"$2b$04$${'a'.repeat(at % 60)}"}\n`),
  ...DOCUMENTS.map(({ name, of }) => ({
    name: `lines of ${name}`,
    of: (bytes: number) => `${of(16_000).replaceAll('\n', ' ')}\n`.repeat(Math.ceil(bytes / 16_001)),
  })),
];
