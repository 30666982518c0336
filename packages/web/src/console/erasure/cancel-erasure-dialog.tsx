import { useConsole } from '../api/console-context.ts';
import { useWords } from '../text.ts';
import { ConfirmDialog } from '../ui/confirm/confirm-dialog.tsx';
import { useRefreshErasures } from './use-refresh-erasures.ts';

/** Takes back the erasure of an account, after a confirmation. */
export function CancelErasureDialog({ accountId, onClose }: { accountId: string; onClose: () => void }) {
  const words = useWords();
  const { callApi, toast } = useConsole();
  const refresh = useRefreshErasures();
  return (
    <ConfirmDialog
      title={words('erasure.takeBack')}
      action={words('erasure.takeBack')}
      kind="primary"
      onConfirm={async () => {
        const result = await callApi('POST /admin/account/{id}/restore', { path: { id: accountId } });
        if (!result.ok) return result.problem;
        toast(words('erasure.takenBack'));
        await refresh();
        return undefined;
      }}
      onClose={onClose}
    >
      <p>{words('erasure.takeBack.effect')}</p>
    </ConfirmDialog>
  );
}
