import { useWords } from '../text.ts';
import { actionDialog } from '../ui/confirm/action-dialog.tsx';
import type { Content } from './content.ts';
import { useMemberCounts } from './members/use-member-counts.ts';

/** Deletes content. Shows first how many accounts and invitations lose it. */
export const DeleteDialog = actionDialog<{ content: Content }>(({ content: { Id, Name } }, words) => ({
  title: words('content.delete.title', { name: Name }),
  action: words('content.delete'),
  typed: Name,
  effect: <Effect id={Id} />,
  run: (callApi) => callApi('DELETE /admin/content-definition/{id}', { path: { id: Id } }),
  done: words('content.deleted'),
  next: '/console/content',
  refreshes: ['GET /admin/content-definition', 'GET /admin/invitation'],
}));

function Effect({ id }: { id: string }) {
  const words = useWords();
  const { access, pending } = useMemberCounts(id);
  return (
    <>
      <p>{words('content.delete.effect', { access: access ?? '…', pending: pending ?? '…' })}</p>
      <p>{words('content.delete.guests')}</p>
    </>
  );
}
