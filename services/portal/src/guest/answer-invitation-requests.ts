import {
  mailInvitationToInvitee,
  startMailRequests,
  type AccountsDeps,
  type MailRequests,
} from '@gatehouse/accounts';
import { Gauge, type Metrics } from '@gatehouse/runtime';

/** Starts to mail invitations for which a resend was requested. */
export function answerInvitationRequests(deps: AccountsDeps, metrics: Metrics): MailRequests {
  const waiting = new Gauge({
    name: 'gatehouse_invitation_requests_waiting',
    help: 'Requests for invitations whose email is not queued yet, across all instances, up to 100000',
    registers: [metrics],
  });
  const oldest = new Gauge({
    name: 'gatehouse_invitation_requests_oldest_seconds',
    help: 'Age of the oldest request for an invitation whose email is not queued yet, 0 if none',
    registers: [metrics],
  });
  return startMailRequests(deps, {
    table: 'invitation_request',
    answers: { invitation: (tx, account, origin) => mailInvitationToInvitee(deps, tx, account, origin) },
    show: ({ count, ageSeconds }) => {
      waiting.set(count);
      oldest.set(ageSeconds);
    },
  });
}
