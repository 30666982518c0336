import { useState } from 'preact/hooks';
import type { Problem } from '../../ui/api/api.ts';
import type { ProofAction } from '../security/passkeys/use-passkeys.ts';

/**
 * Something that needs a proof of who it is where the last one is long ago: it is tried without one first, and with what
 * was shown after that.
 */
export function useIdentityProof(action: ProofAction) {
  const [isBusy, setBusy] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const attempt = async (): Promise<void> => {
    setBusy(true);
    const found = await action({});
    setBusy(false);
    const isUnproven = found?.code === 'confirmation_required';
    setAsked(isUnproven);
    setProblem(isUnproven ? undefined : found);
  };
  const prove: ProofAction = async (proof) => {
    const found = await action(proof);
    // What no other proof would change is said where the deed began.
    const isFinal = found?.code === 'conflict';
    if (found === undefined || isFinal) setAsked(false);
    if (isFinal) setProblem(found);
    return isFinal ? undefined : found;
  };
  return { isBusy, isAsked, problem, attempt, prove, cancel: () => setAsked(false) };
}
