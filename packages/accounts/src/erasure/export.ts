import { accountExport, type AccountExport, type Actor, type Transaction } from '@gatehouse/db';
import { QueueFull, Unavailable } from '@gatehouse/runtime';
import type { AccountsDeps, Origin, SessionDeps } from '../deps.ts';
import { write } from '../session/write.ts';

/** The maximum number of rows per section of an export. */
export const EXPORT_ROWS_MAX = 10_000;

/** `admit` throws if the account may not be exported. @throws {Unavailable} while too many other exports are running. */
export async function exportAccount(
  deps: SessionDeps & Pick<AccountsDeps, 'exportTurns'>,
  { accountId, actor, origin }: { accountId: string; actor: Actor; origin: Origin },
  admit: (tx: Transaction) => Promise<void>,
): Promise<AccountExport> {
  const author = { actor, origin, target: { kind: 'Account', id: accountId } } as const;
  const work = () =>
    write(deps, author, async (tx) => {
      await admit(tx);
      tx.audit('account.exported');
      return accountExport.find(tx, accountId, EXPORT_ROWS_MAX);
    });
  try {
    return await deps.exportTurns(work);
  } catch (error) {
    throw error instanceof QueueFull ? new Unavailable('a turn to export', { cause: error }) : error;
  }
}
