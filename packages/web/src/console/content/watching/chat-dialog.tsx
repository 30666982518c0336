import { SessionStatus } from 'gatehouse-client';
import type { Answer } from '../../api/call-api.ts';
import { actionDialog } from '../../ui/confirm/action-dialog.tsx';

type Session = Answer<'GET /admin/user-session'>['Items'][number];

export function isChatOff({ Status }: Session): boolean {
  return Status === SessionStatus.ChatDisabled;
}

/** Switches the chat off or on for a user who is watching. */
export const ChatDialog = actionDialog<{ session: Session }>(({ session }, words) => {
  const { Id: SessionId, Email, IsGuest } = session;
  const isOff = isChatOff(session);
  const withChat = IsGuest ? SessionStatus.SharedAccess : SessionStatus.Normal;
  const Status = isOff ? withChat : SessionStatus.ChatDisabled;
  return {
    action: words(isOff ? 'content.chat.on' : 'content.chat.off'),
    effect: <p>{words(isOff ? 'content.chat.on.effect' : 'content.chat.off.effect', { email: Email })}</p>,
    run: (callApi) => callApi('POST /admin/user-session', { body: { SessionId, Status } }),
    done: words(isOff ? 'content.chat.isOn' : 'content.chat.isOff'),
    refreshes: ['GET /admin/user-session', 'GET /admin/user-session/{id}'],
  };
});
