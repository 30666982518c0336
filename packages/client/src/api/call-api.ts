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

/** A hundred paths, which a page that makes no such call need not load. */
const load = () => import('./call-of.ts');

export function createApi(send: (call: ApiCall, options: CallOptions) => Promise<unknown>): Api {
  const get =
    (_: object, name: string) =>
    async (input: object = {}, options: CallOptions = {}) => {
      const { callOf } = await load();
      return send(callOf(name, input), options);
    };
  return new Proxy({}, { get }) as Api; // the table has a row for each of its names
}
