import { useState } from 'preact/hooks';
import { call, type Problem } from '../../ui/api/api.ts';
import type { FieldValues } from '../../ui/form/form.tsx';
import { useSignedOut } from '../account/own-account.ts';

/**
 * A change that requires the password, the second factor if the account has one, and a code from a mail if such codes
 * open the account. `asked`: the values of a change for which the second factor is still required; `mailed`: of one for
 * which a code has been mailed.
 */
export function useProvenChange(path: string, onDone: (values: FieldValues) => void) {
  const leave = useSignedOut();
  const [asked, setAsked] = useState<FieldValues>();
  const [mailed, setMailed] = useState<Mailed>();
  const cancel = (): void => {
    setAsked(undefined);
    setMailed(undefined);
  };
  const change = async (values: FieldValues, proof: object = {}): Promise<Problem | undefined> => {
    const result = await call('POST', path, { ...proof, ...values });
    if (result.ok) {
      cancel();
      onDone(values);
      return undefined;
    }
    if (leave(result.problem)) return undefined;
    if (result.problem.code === 'confirmation_required') setAsked(values);
    if (result.problem.code !== 'mail_code_required') return result.problem;
    setAsked(undefined);
    setMailed({ values, proof });
    return undefined;
  };
  return { asked, mailed, change, cancel };
}

/** A change that waits for the code from the mail, with what was shown before. */
interface Mailed {
  values: FieldValues;
  proof: object;
}
