import { useState } from 'preact/hooks';
import type { Problem } from '../../ui/api/api.ts';
import type { ProofAction } from '../security/passkeys/use-passkeys.ts';

/**
 * Runs an action that requires a recent proof of identity. The action is tried without a proof first, and again with
 * the proof if one is required.
 */
export function useIdentityProof(action: ProofAction) {
  const [isAsked, setAsked] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const attempt = async (): Promise<void> => {
    const found = await action({});
    const isUnproven = found?.code === 'confirmation_required';
    setAsked(isUnproven);
    setProblem(isUnproven ? undefined : found);
  };
  const prove: ProofAction = async (proof) => {
    const found = await action(proof);
    // An error that another proof would not fix is shown where the action was started.
    const isFinal = found?.code === 'conflict';
    if (found === undefined || isFinal) setAsked(false);
    if (isFinal) setProblem(found);
    return isFinal ? undefined : found;
  };
  return { isAsked, problem, attempt, prove, cancel: () => setAsked(false) };
}
