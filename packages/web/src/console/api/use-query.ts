import {
  keepPreviousData,
  QueryClient,
  QueryObserver,
  type QueryObserverOptions,
} from '@tanstack/query-core';
import { useEffect, useState } from 'preact/hooks';
import type { Problem } from '../../ui/api.ts';
import { type Answer, type CallApi, type Input, type Operation, useConsole } from './call-api.ts';

/** The cached answers. */
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
  refetch: () => void;
}

interface Options {
  /** The interval at which the answer is fetched again while the window is visible. */
  everyMs?: number;
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
  const options: QueryObserverOptions<Answer<K>, Refused> = {
    queryKey: [operation, key],
    queryFn: () => answerOf(callApi, operation, input),
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
    refetch: () => void observer.refetch(),
  };
}

const STALE_MS = 5_000;

class Refused extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.code);
    this.problem = problem;
  }
}

async function answerOf<K extends Operation>(callApi: CallApi, operation: K, input: Input<K>) {
  const result = await callApi(operation, input);
  if (result.ok) return result.value;
  throw new Refused(result.problem);
}

/** Fetches the answers of these operations again, those that are shown at once. */
export async function refresh(...operations: readonly Operation[]): Promise<void> {
  await Promise.all(operations.map((operation) => client.invalidateQueries({ queryKey: [operation] })));
}

/** The next administrator must not see cached data of the previous one. */
export function forgetAnswers(): void {
  client.clear();
}
