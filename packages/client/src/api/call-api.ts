import type { Operations } from './api-types.ts';

/** The values of a call, which may be left out where none is required, and what it may have besides. */
type Arguments<I> =
  Partial<I> extends I ? [input?: I, options?: CallOptions] : [input: I, options?: CallOptions];

export interface CallOptions {
  signal?: AbortSignal;
  /** Such as `If-Match`. */
  headers?: Record<string, string>;
}

/** The calls of all three APIs by their names: fields of path, query and body in one object. */
export type Api = {
  readonly [K in keyof Operations]: (
    ...args: Arguments<Operations[K]['input']>
  ) => Promise<Operations[K]['answer']>;
};

export interface ApiCall {
  method: string;
  /** Below the API's address. */
  path: string;
  body?: unknown;
}

export function createApi(send: (call: ApiCall, options: CallOptions) => Promise<unknown>): Api {
  const get =
    (_: object, name: string) =>
    async (input: object = {}, options: CallOptions = {}) => {
      // A hundred paths, which a page that makes no such call need not load.
      const { OPERATION_TABLE } = await import('./operation-table.ts');
      const row = OPERATION_TABLE.split('\n').find((one) => one.startsWith(`${name} `));
      if (row === undefined) throw new TypeError(`there is no ${name}`);
      return send(callOf(row, input), options);
    };
  return new Proxy({}, { get }) as Api; // the table has a row for each of its names
}

/** Fields that the path names stand there; the others in the query of a GET, and in the body of everything else. */
function callOf(row: string, input: object): ApiCall {
  const [, method = '', template = ''] = row.split(' ');
  const rest: Record<string, unknown> = { ...input };
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name]);
    delete rest[name];
    return encodeURIComponent(value);
  });
  if (method !== 'GET') return { method, path, body: rest };
  const query = new URLSearchParams(JSON.parse(JSON.stringify(rest)) as Record<string, string>).toString(); // which writes what it is given
  return { method, path: query ? `${path}?${query}` : path };
}
