import type { Sent } from '../requests/send.ts';

/** Variants of the URL that a careless router might treat as equal. Each variant differs in one way. */
export function spellingsOf(path: string): string[] {
  const [place = '', ...query] = path.split('?');
  const behind = query.length > 0 ? `?${query.join('?')}` : '';
  const [, first = '', ...rest] = place.split('/');
  const tail = rest.map((segment) => `/${segment}`).join('');
  const [letter = ''] = /[a-z]/.exec(first) ?? [];
  return [
    `${place}/`,
    `${place}//`,
    `/${first.toUpperCase()}${tail}`,
    `/${first.replace(letter, letter.toUpperCase())}${tail}`,
    `/${first.replace(letter, `%${letter.charCodeAt(0).toString(16)}`)}${tail}`,
    `/${place}`,
    `/.${place}`,
    `/x/..${place}`,
    `${place}/.`,
    `${place};x=1`,
    `${place}%00`,
    `${place}%2f`,
    `${place}%20`,
    `${place}.json`,
    `/${first}${rest.map((segment) => `%2f${segment}`).join('')}/`,
    `/${first}${rest.map((segment) => `\\${segment}`).join('')}/`,
  ].map((one) => `${one}${behind}`);
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'SEARCH', 'PROPFIND', 'LINK'];

/** The same request with every method that is not in `own`, and with headers that override the method. */
export function otherMethods(request: Sent, own: ReadonlySet<string>): Sent[] {
  const disguised = ['x-http-method-override', 'x-http-method', 'x-method-override'].map((name) => ({
    ...request,
    method: 'LINK',
    headers: { ...request.headers, [name]: request.method },
  }));
  return [
    ...METHODS.filter((method) => !own.has(method)).map((method) => ({ ...request, method })),
    ...disguised,
  ];
}
