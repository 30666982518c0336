import {
  keepPreviousData,
  QueryClient,
  QueryObserver,
  type QueryObserverOptions,
} from '@tanstack/query-core';
import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { call, type Operation as Call, type Problem, type Result } from '../../ui/api.ts';
import type { Operations } from './operations.ts';

export type Operation = keyof Operations;

type Given<K extends Operation> = NonNullable<Operations[K]['input']>;

/** The names of the path parameters of an operation. */
type PathField<K extends string> = K extends `${string}{${infer Field}}${infer Rest}`
  ? Field | PathField<Rest>
  : never;

/** The operations on one object, which only its id names. */
export type OfObject = {
  [K in Operation]: [PathField<K>, 'id'] extends ['id', PathField<K>] ? K : never;
}[Operation];

/** Of each form of a union. */
type Without<T, F extends string> = T extends unknown ? Omit<T, F> : never;

export interface Input<K extends Operation> {
  path?: Pick<Given<K>, PathField<K> & keyof Given<K>>;
  query?: Partial<Omit<Given<K>, PathField<K>>>;
  body?: Without<Given<K>, PathField<K>>;
  /** Lines of JSON, instead of a body. */
  ndjson?: string;
  /** The call succeeds only if this is still the current version (the `etag` of an earlier result). */
  ifMatch?: string | undefined;
}

export function inputFor<K extends OfObject>(id: string): Input<K> {
  return { path: { id } } as unknown as Input<K>; // by the type of `OfObject`
}

export type Answer<K extends Operation> = Operations[K]['answer'];

export type CallApi = <K extends Operation>(operation: K, input?: Input<K>) => Promise<Result<Answer<K>>>;

interface ApiCallerOptions {
  /** Called when the session has ended, or no longer has the necessary rights. */
  onSignedOut: (problem: Problem) => void;
  /** Asks the administrator to confirm their identity; resolves to whether they did. */
  confirm: () => Promise<boolean>;
}

/** Calls the API of the same origin. An operation has the method and path of the OpenAPI document. */
export function createApiCaller({ onSignedOut, confirm }: ApiCallerOptions): CallApi {
  const send = async <K extends Operation>(operation: K, input: Input<K>): Promise<Result<Answer<K>>> => {
    const headers = {
      ...(input.ifMatch !== undefined && { 'If-Match': input.ifMatch }),
      ...(input.ndjson !== undefined && { 'Content-Type': 'application/x-ndjson' }),
    };
    const body = input.ndjson ?? input.body;
    const result = await call<Answer<K>>(filled(operation, input), body, headers);
    return result.ok
      ? result
      : { ok: false, problem: { ...result.problem, reason: reasonOf(result.problem) } };
  };
  return async (operation, input = {}) => {
    const result = await send(operation, input);
    if (result.ok) return result;
    const { status, code } = result.problem;
    if (code === 'confirmation_required' && (await confirm())) return send(operation, input);
    // `PERSON_ROLES` may deny administrators access to persons although they are signed in.
    const isRefused = code === 'forbidden' && !operation.includes(' /person');
    if (status === 401 || isRefused) onSignedOut(result.problem);
    return result;
  };
}

/** Why the API refused a request: its detail, or what is wrong with each field. A failure of the API has no reason. */
function reasonOf({ status, errors, body: { detail } }: Problem): string | undefined {
  if (status >= 500 || typeof detail !== 'string') return undefined;
  return errors.map(({ pointer, message }) => `${pointer.slice(1)} ${message}`).join('; ') || detail;
}

function filled(operation: Operation, { path, query }: Input<Operation>): Call {
  const parts = new Map(Object.entries<string>(path ?? {}));
  const named = operation.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(parts.get(name) ?? ''),
  ) as Call; // still a method and a path
  const filters = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(filters.map(([name, value]) => [name, String(value)])).toString();
  return search === '' ? named : `${named}?${search}`;
}

export type Me = Answer<'GET /console/session'>;
export type Account = Answer<'GET /admin/account/{id}'>;

export interface ConsoleTools {
  callApi: CallApi;
  me: Me;
  /** Shows a short message for a few seconds, with a button that undoes what it says if that is possible. */
  toast: (words: string, undo?: () => Promise<Result<unknown>>) => void;
  signOut: () => void;
}

export const ConsoleContext = createContext<ConsoleTools | undefined>(undefined);

export function useConsole(): ConsoleTools {
  const tools = useContext(ConsoleContext);
  if (tools === undefined) throw new Error('there is no console around this component');
  return tools;
}

const client = new QueryClient();

export interface QueryResult<T> {
  data: T | undefined;
  problem: Problem | undefined;
  /** Whether the first answer is loading, so that there is nothing to show yet. */
  isLoading: boolean;
  /** Whether `data` is the answer to the previous input, shown until the new one arrives. */
  isOld: boolean;
  /** When the answer arrived, by the browser's clock; 0 before that. */
  receivedAt: number;
  refetch: () => Promise<unknown>;
}

interface Options {
  /** The interval at which the answer is fetched again while the window is visible. */
  everyMs?: number | undefined;
  enabled?: boolean;
}

/** Calls the API and caches the answer. A cached answer is shown at once, and refreshed in the background. */
export function useQuery<K extends Operation>(
  operation: K,
  input: Input<K> = {},
  { everyMs, enabled = true }: Options = {},
): QueryResult<Answer<K>> {
  const { callApi } = useConsole();
  const key = JSON.stringify(input);
  const options: QueryObserverOptions<Answer<K>, Error & { problem: Problem }> = {
    queryKey: [operation, key],
    queryFn: async () => {
      const result = await callApi(operation, input);
      if (result.ok) return result.value;
      throw Object.assign(new Error(result.problem.code), { problem: result.problem });
    },
    enabled,
    retry: false,
    staleTime: STALE_MS,
    refetchInterval: everyMs ?? false,
    placeholderData: keepPreviousData,
  };
  const [observer] = useState(() => new QueryObserver(client, options));
  const [, setSeen] = useState(0);
  useEffect(() => observer.subscribe(() => setSeen((seen) => seen + 1)), [observer]);
  useEffect(() => observer.setOptions(options), [operation, key, enabled, everyMs]);
  const found = observer.getOptimisticResult(client.defaultQueryOptions(options));
  return {
    data: found.data,
    problem: found.error?.problem,
    isLoading: found.isPending && found.isFetching,
    isOld: found.isPlaceholderData,
    receivedAt: found.dataUpdatedAt,
    refetch: () => observer.refetch(),
  };
}

const STALE_MS = 5_000;

/** Fetches the answers that are shown again, after a change; the others when they are shown. */
export async function refresh(): Promise<void> {
  await client.invalidateQueries();
}

/** The next administrator must not see cached data of the previous one. */
export function forgetAnswers(): void {
  client.clear();
}
