import type { Problem } from '../../../ui/api/api.ts';
import type { Answer } from '../../api/call-api.ts';
import { useConsole } from '../../api/console-context.ts';
import { useRefresh } from '../../api/use-query.ts';
import { useWords } from '../../text.ts';
import { ConfirmDialog } from '../../ui/confirm/confirm-dialog.tsx';

type Session = Answer<'GET /admin/user-session'>['Items'][number];

/** The session statuses that the dialog switches between. */
const NORMAL = 1;
const CHAT_DISABLED = 2;
const SHARED_ACCESS = 5;

export function isChatOff({ Status }: Session): boolean {
  return Status === CHAT_DISABLED;
}

/** Switches the chat off or on for a user who is watching. */
export function ChatDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const words = useWords();
  const { callApi, toast } = useConsole();
  const refresh = useRefresh();
  const isOff = isChatOff(session);
  const change = async (): Promise<Problem | undefined> => {
    const withChat = session.IsGuest ? SHARED_ACCESS : NORMAL;
    const Status = isOff ? withChat : CHAT_DISABLED;
    const result = await callApi('POST /admin/user-session', { body: { SessionId: session.Id, Status } });
    if (!result.ok) return result.problem;
    toast(words(isOff ? 'content.chat.isOn' : 'content.chat.isOff'));
    await refresh('GET /admin/user-session', 'GET /admin/user-session/{id}');
    return undefined;
  };
  return (
    <ConfirmDialog
      title={words(isOff ? 'content.chat.on' : 'content.chat.off')}
      action={words(isOff ? 'content.chat.on' : 'content.chat.off')}
      onConfirm={change}
      onClose={onClose}
    >
      <p>{words(isOff ? 'content.chat.on.effect' : 'content.chat.off.effect', { email: session.Email })}</p>
    </ConfirmDialog>
  );
}
