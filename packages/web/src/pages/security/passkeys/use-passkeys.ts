import { useState } from 'preact/hooks';
import { call, type Problem, type Result } from '../../../ui/api/api.ts';
import { addPasskey } from '../../add-passkey.ts';
import { useOwn, useSignedOut } from '../../account/own-account.ts';
import type { OwnPasskey } from './passkey-item.tsx';

/** An action that may require proof of identity. Called with the proof, or with an empty object to try without. */
export type ProofAction = (proof: object) => Promise<Problem | undefined>;

/** The removal of a passkey; `mailed`: one for which a code has been mailed, to be called with the code. */
function useRemoval({
  settle,
  onMailed,
  onRemoved,
}: {
  settle: (result: Result<unknown>) => Promise<Problem | undefined>;
  onMailed: () => void;
  onRemoved: () => void;
}) {
  const [mailed, setMailed] = useState<ProofAction>();
  const remove =
    (id: string): ProofAction =>
    async (proof) => {
      const removed = await call('DELETE', `/account/passkey/${id}`, proof);
      if (!removed.ok && removed.problem.code === 'mail_code_required') {
        onMailed();
        setMailed(() => (shown: object) => remove(id)({ ...proof, ...shown }));
        return undefined;
      }
      if (removed.ok) {
        setMailed(undefined);
        onRemoved();
      }
      return settle(removed);
    };
  return { remove, mailed, forgetMailed: () => setMailed(undefined) };
}

/**
 * The passkeys of the account, the actions on them, the proof of identity that an action requires, the action for which
 * a code has been mailed, and how many have been added and removed.
 */
export function usePasskeys() {
  const leave = useSignedOut();
  const own = useOwn<{ Items: OwnPasskey[] }>('/account/passkey');
  const [problem, setProblem] = useState<Problem>();
  const [asked, setAsked] = useState<ProofAction>();
  const [codes, setCodes] = useState<string[]>();
  const [changes, setChanges] = useState(0);

  const settle = async (result: Result<unknown>): Promise<Problem | undefined> => {
    if (!result.ok) return leave(result.problem) ? undefined : result.problem;
    setAsked(undefined);
    await own.reload();
    return undefined;
  };
  const add =
    (name: string): ProofAction =>
    async (proof) => {
      const added = await addPasskey(proof, name);
      if (added?.ok === true) {
        setCodes(added.value.RecoveryCodes);
        setChanges(changes + 1);
      }
      return settle(added ?? { ok: true, value: undefined });
    };
  const removal = useRemoval({
    settle,
    onMailed: () => setAsked(undefined),
    onRemoved: () => setChanges(changes + 1),
  });
  const attempt = async (action: ProofAction): Promise<void> => {
    setProblem(undefined);
    const refusal = await action({});
    if (refusal?.code === 'confirmation_required') setAsked(() => action);
    else setProblem(refusal);
  };
  return {
    own,
    problem,
    asked,
    remove: removal.remove,
    mailed: removal.mailed,
    codes,
    changes,
    forgetCodes: () => setCodes(undefined),
    add,
    attempt,
    /** Forgets what the owner has begun. */
    cancel: () => {
      setProblem(undefined);
      setAsked(undefined);
      removal.forgetMailed();
    },
  };
}
