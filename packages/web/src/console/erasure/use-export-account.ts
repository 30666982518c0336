import { saveFile } from '../../ui/save-file.ts';
import { problemText } from '../../ui/api/problem-text.ts';
import { useText } from '../../ui/locale/locale.ts';
import type { Account } from '../account/account.ts';
import { useConsole } from '../api/console-context.ts';
import { useRefresh } from '../api/use-query.ts';
import { useWords } from '../text.ts';

/** Saves all stored data about an account as a file. */
export function useExportAccount({ Id }: Account): () => Promise<void> {
  const words = useWords();
  const text = useText();
  const { callApi, toast } = useConsole();
  const refresh = useRefresh();
  return async () => {
    const result = await callApi('GET /admin/account/{id}/export', { path: { id: Id } });
    if (!result.ok) return toast(problemText(result.problem, text));
    saveFile(`account-${Id}.json`, 'application/json', `${JSON.stringify(result.value, undefined, 2)}\n`);
    toast(words('erasure.exported'));
    await refresh('GET /admin/audit');
  };
}
