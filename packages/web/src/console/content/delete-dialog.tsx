import { useLocation } from 'preact-iso';
import type { Problem } from '../../ui/api/api.ts';
import { useConsole } from '../api/console-context.ts';
import { useRefresh } from '../api/use-query.ts';
import { useWords } from '../text.ts';
import { ConfirmDialog } from '../ui/confirm/confirm-dialog.tsx';
import type { Content } from './content.ts';
import { useMemberCounts } from './members/use-member-counts.ts';

/** Deletes content. Shows first how many accounts and invitations lose it. */
export function DeleteDialog({ content, onClose }: { content: Content; onClose: () => void }) {
  const words = useWords();
  const { callApi, toast } = useConsole();
  const { route } = useLocation();
  const refresh = useRefresh();
  const { access, pending } = useMemberCounts(content.Id);
  const remove = async (): Promise<Problem | undefined> => {
    const result = await callApi('DELETE /admin/content-definition/{id}', { path: { id: content.Id } });
    if (!result.ok) return result.problem;
    toast(words('content.deleted'));
    route('/console/content');
    await refresh('GET /admin/content-definition', 'GET /admin/invitation');
    return undefined;
  };
  return (
    <ConfirmDialog
      title={words('content.delete.title', { name: content.Name })}
      action={words('content.delete')}
      onConfirm={remove}
      onClose={onClose}
      typed={content.Name}
    >
      <p>{words('content.delete.effect', { access: access ?? '…', pending: pending ?? '…' })}</p>
      <p>{words('content.delete.guests')}</p>
    </ConfirmDialog>
  );
}
