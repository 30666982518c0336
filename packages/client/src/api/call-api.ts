import type { Operations } from './api-types.ts';
import { throwOffline } from './gatehouse-error.ts';

/** The arguments of a call: its input, which is optional if no field is required, and the options. */
type Arguments<I> =
  Partial<I> extends I ? [input?: I, options?: CallOptions] : [input: I, options?: CallOptions];

export interface CallOptions {
  signal?: AbortSignal;
  /** Additional headers, for example `If-Match`. */
  headers?: Record<string, string>;
}

/** The calls of all three APIs by name. The fields of path, query and body are passed in one object. */
export type Api = {
  readonly [K in keyof Operations]: (
    ...args: Arguments<Operations[K]['input']>
  ) => Promise<Operations[K]['answer']>;
};

export interface ApiCall {
  method: string;
  /** The path below the base URL of the API. */
  path: string;
  body?: unknown;
}

/** The table has about a hundred paths, so a page loads it with its first call. */
const load = () => import('./call-of.ts').catch(throwOffline);

export function createApi(send: (call: ApiCall, options: CallOptions) => Promise<unknown>): Api {
  const get =
    (_: object, name: string) =>
    async (input: object = {}, options: CallOptions = {}) => {
      const { callOf } = await load();
      return send(callOf(name, input), options);
    };
  return new Proxy({}, { get }) as Api; // the table has a row for each of its names
}
