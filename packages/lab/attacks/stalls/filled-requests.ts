import { FORM, mediaTypeOf, NDJSON, type Route } from '@gatehouse/http';
import { DOCUMENTS, ENCODED, LINES, PAIRS, TEXTS, VALUES, type Filling } from './fillings.ts';

/** Every header that a service, the gateway or Node reads, with a meaningful value. */
const READ: Readonly<Record<string, string>> = {
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

export interface FilledRequest {
  about: string;
  /** The size of the part at the limit. */
  bytesMax: number;
  /** The request without the headers that every request has, with so many bytes in that part. */
  filledTo: (bytes: number) => { line: string; headers: string[]; body?: string };
}

export interface Valid {
  method: string;
  /** Without a query. */
  path: string;
  body: Record<string, unknown>;
}

/** What is left of 16 KiB for one header or the target. */
const HEAD_BYTES = 15_000;
const BODY_BYTES = 102_400;
const CURSOR_BYTES = 1000;
const TOKEN_BYTES = 8000;
/** Imports have no limit; as many lines show what each of them takes. */
const LINES_BYTES = 200_000;

/** Each header that is read anywhere, on one of these targets in turn. */
export function filledHeaders(targets: readonly string[], names = Object.keys(READ)): FilledRequest[] {
  return names.flatMap((name) =>
    TEXTS.flatMap((filling, at) => {
      const line = targets[at % targets.length] ?? '';
      return ['a', READ[name] ?? ''].flatMap((open) =>
        parts(`${line}, ${name}: ${open}`, HEAD_BYTES, [filling], (content) =>
          headed(line, `${name}: ${open}${content}!`),
        ),
      );
    }),
  );
}

export function filledCredentials(target: string, cookies: readonly string[]): FilledRequest[] {
  const line = `GET ${target}`;
  const site = 'Sec-Fetch-Site: same-origin';
  const fillings = [...TEXTS, ...ENCODED];
  const tokens: [string, (content: string) => string][] = [
    ['sat_', (content) => `sat_${content}`],
    ['header', (content) => `${content}.e30.${'A'.repeat(86)}`],
    ['claims', (content) => `${ENCODED_HEADER}.${content}.${'A'.repeat(86)}`],
    ['signature', (content) => `${ENCODED_HEADER}.e30.${content}`],
  ];
  return [
    ...cookies.flatMap((name) => [
      ...parts(`${line}, the cookie ${name}`, HEAD_BYTES, fillings, (content) =>
        headed(line, site, `Cookie: ${name}=${content}`),
      ),
      ...parts(`${line}, cookies before ${name}`, HEAD_BYTES, fillings, (content) =>
        headed(line, site, `Cookie: ${content}; ${name}=a`),
      ),
    ]),
    ...tokens.flatMap(([about, token]) =>
      parts(`${line}, a token's ${about}`, TOKEN_BYTES, fillings, (content) =>
        headed(line, `Authorization: Bearer ${token(content)}`),
      ),
    ),
  ];
}

const ENCODED_HEADER = Buffer.from('{"alg":"ES256","typ":"at+jwt","kid":"a"}').toString('base64url');

export function filledTargets(route: Route<never>, { method, path }: Valid): FilledRequest[] {
  const lastSlash = path.lastIndexOf('/') + 1;
  const target = (
    about: string,
    of: (content: string) => string,
    fillings: readonly Filling[],
    bytesMax = HEAD_BYTES,
  ) =>
    parts(`${method} ${route.path}, ${about}`, bytesMax, fillings, (content) =>
      headed(`${method} ${of(encodeURI(content.replaceAll('%', '\0')).replaceAll('%00', '%'))}`),
    );
  return [
    ...target('the path', (content) => path.slice(0, lastSlash) + content, TEXTS),
    ...target('the query', (content) => `${path}?${content}`, PAIRS),
    ...Object.keys(route.query?.properties ?? {}).flatMap((name) => {
      const given = (content: string): string => `${path}?${name}=${content.replaceAll('&', '%26')}`;
      return name === 'cursor'
        ? target(`?${name}=`, given, [...TEXTS, ...ENCODED], CURSOR_BYTES)
        : target(`?${name}=`, given, TEXTS);
    }),
  ];
}

export function filledBody(route: Route<never>, { method, path, body }: Valid): FilledRequest[] {
  const line = `${method} ${path}`;
  const about = `${method} ${route.path}`;
  const whole = (kind: string, bytesMax: number, fillings: readonly Filling[], open = '') =>
    parts(`${about} as ${kind}`, bytesMax, fillings, (content) => ({
      ...headed(line, `Content-Type: ${kind}`),
      body: open + content,
    }));
  const bodyType = mediaTypeOf(route.body);
  if (bodyType === NDJSON) return whole(NDJSON, LINES_BYTES, LINES);
  if (bodyType === FORM) {
    return [
      ...whole(FORM, BODY_BYTES, [...PAIRS, ...TEXTS]),
      ...whole(FORM, 16_384, [...ENCODED, ...TEXTS], 'logout_token=a.b.'),
    ];
  }
  if (route.body === undefined) return [];
  const { properties = {} }: { properties?: object } = route.body; // a JSON Schema of an object
  const fields = Object.keys(properties).flatMap((name) => {
    const others = Object.entries(body).filter(([other]) => other !== name);
    const rest = others
      .map(([other, value]) => `,${JSON.stringify(other)}:${JSON.stringify(value)}`)
      .join('');
    return parts(`${about}, /${name}`, BODY_BYTES - rest.length - 100, VALUES, (content) => ({
      ...headed(line, 'Content-Type: application/json'),
      body: `{${JSON.stringify(name)}:${content}${rest}}`,
    }));
  });
  return [
    ...whole('application/json', BODY_BYTES, DOCUMENTS),
    ...whole('multipart/form-data; boundary=a', BODY_BYTES, TEXTS.slice(0, 4), '--a\r\n'),
    ...fields,
  ];
}

function headed(line: string, ...headers: string[]) {
  return { line, headers };
}

/** A request for each filling of one place. */
function parts(
  place: string,
  bytesMax: number,
  fillings: readonly Filling[],
  request: (content: string) => ReturnType<FilledRequest['filledTo']>,
): FilledRequest[] {
  return fillings.map(({ name, of }) => ({
    about: `${place} of ${name}`,
    bytesMax,
    filledTo: (bytes) => request(of(bytes)),
  }));
}
