import { keepPreviousData, QueryObserver, type QueryObserverOptions } from '@tanstack/query-core';
import { useEffect, useState } from 'preact/hooks';
import type { Problem } from '../../ui/api/api.ts';
import type { Answer, Ask, Input, Operation } from './ask.ts';
import { useConsole } from './console-context.ts';

/** What is known of an answer. */
export interface Asked<T> {
  data: T | undefined;
  problem: Problem | undefined;
  /** Whether it is on its way for the first time, or for another question. */
  isLoading: boolean;
  /** Whether what is shown is of the question before. */
  isOld: boolean;
  /** When the answer came, by the browser's clock; 0 before that. */
  receivedAt: number;
  again: () => void;
}

interface Options {
  /** Asks again after so long, while the window is seen. */
  everyMs?: number;
  /** Whether to ask at all. */
  enabled?: boolean;
}

/** Asks the API and keeps the answer: shown at once when it is asked for again, and refreshed behind it. */
export function useAsk<K extends Operation>(
  operation: K,
  input: Input<K> = {},
  { everyMs, enabled = true }: Options = {},
): Asked<Answer<K>> {
  const { ask, client } = useConsole();
  const key = JSON.stringify(input);
  const options: QueryObserverOptions<Answer<K>, Refused> = {
    queryKey: [operation, key],
    queryFn: () => answerOf(ask, operation, input),
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
    again: () => void observer.refetch(),
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

async function answerOf<K extends Operation>(ask: Ask, operation: K, input: Input<K>): Promise<Answer<K>> {
  const result = await ask(operation, input);
  if (result.ok) return result.value;
  throw new Refused(result.problem);
}

/** Asks everything again that begins with one of these operations: after a change. */
export function useRefresh(): (...operations: Operation[]) => Promise<void> {
  const { client } = useConsole();
  return async (...operations) => {
    await Promise.all(operations.map((operation) => client.invalidateQueries({ queryKey: [operation] })));
  };
}
