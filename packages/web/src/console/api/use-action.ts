import { useState } from 'preact/hooks';
import type { Problem } from '../../ui/api/api.ts';
import type { Input, Operation } from './call-api.ts';
import { useConsole } from './console-context.ts';

/** A button that calls the API at once: whether it is busy, and the last refusal. `onAnswer` learns if it was done. */
export function useAction<K extends Operation>(
  operation: K,
  input: Input<K>,
  onAnswer: (isDone: boolean) => Promise<void>,
): { isBusy: boolean; problem: Problem | undefined; run: () => void } {
  const { callApi } = useConsole();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const run = async (): Promise<void> => {
    setBusy(true);
    const result = await callApi(operation, input);
    setBusy(false);
    setProblem(result.ok ? undefined : result.problem);
    await onAnswer(result.ok);
  };
  return { isBusy, problem, run: () => void run() };
}
