import { administrators, type Executor } from '@gatehouse/db';
import { lostAdministrators, type Changing } from './account-change.ts';

/**
 * Whether these changes together would leave no administrator who can log in, or none whose account does not expire.
 */
export async function takesLastAdministrator(
  executor: Executor,
  changes: readonly Changing[],
): Promise<boolean> {
  const taken = lostAdministrators(changes);
  if (taken.enabled.length === 0 && taken.lasting.length === 0) return false;
  const others = await administrators.findOthers(executor, taken);
  return (
    (taken.enabled.length > 0 && !others.isAnyEnabled) || (taken.lasting.length > 0 && !others.isAnyLasting)
  );
}
