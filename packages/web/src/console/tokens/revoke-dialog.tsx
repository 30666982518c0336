import type { Problem } from '../../ui/api/api.ts';
import { useConsole } from '../api/console-context.ts';
import { useRefresh } from '../api/use-query.ts';
import { useWords } from '../text.ts';
import { ConfirmDialog } from '../ui/confirm/confirm-dialog.tsx';
import type { ApiToken } from './token-state.tsx';

/** Revokes an API token, after a confirmation. */
export function RevokeDialog({ token, onClose }: { token: ApiToken; onClose: () => void }) {
  const words = useWords();
  const { callApi, toast } = useConsole();
  const refresh = useRefresh();
  const revoke = async (): Promise<Problem | undefined> => {
    const result = await callApi('DELETE /admin/api-token/{id}', { path: { id: token.Id } });
    if (!result.ok) return result.problem;
    toast(words('tokens.revoked'));
    await refresh('GET /admin/api-token', 'GET /admin/api-token/{id}');
    return undefined;
  };
  return (
    <ConfirmDialog
      title={words('tokens.revoke.title', { name: token.Name })}
      action={words('tokens.revoke')}
      onConfirm={revoke}
      onClose={onClose}
    >
      <p>{words('tokens.revoke.lead')}</p>
    </ConfirmDialog>
  );
}
