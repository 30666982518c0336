import { useState } from 'preact/hooks';
import { call, type Problem } from '../../ui/api/api.ts';
import type { FieldValues } from '../../ui/form/form.tsx';
import { useSignedOut } from '../account/own-account.ts';

/**
 * A change that requires the password, and the second factor if the account has one. `asked`: the values of a change for
 * which the second factor is still required.
 */
export function useProvenChange(path: string, onDone: (values: FieldValues) => void) {
  const leave = useSignedOut();
  const [asked, setAsked] = useState<FieldValues>();
  const change = async (values: FieldValues, proof: object = {}): Promise<Problem | undefined> => {
    const result = await call('POST', path, { ...proof, ...values });
    if (result.ok) {
      setAsked(undefined);
      onDone(values);
      return undefined;
    }
    if (leave(result.problem)) return undefined;
    if (result.problem.code === 'confirmation_required') setAsked(values);
    return result.problem;
  };
  return { asked, change, cancel: () => setAsked(undefined) };
}
