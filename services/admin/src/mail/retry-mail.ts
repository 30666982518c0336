import { actorOf, retryMail as retryParkedMail } from '@gatehouse/accounts';
import { route } from '../deps.ts';
import { mailAnswer, MailAnswer, MailPath } from './mail-answer.ts';

export const retryMail = route({
  method: 'post',
  path: '/admin/mail/:id/retry',
  operationId: 'retryMail',
  tag: 'Mails',
  summary: 'Retry a parked email',
  description:
    'Resets its retry count and retry period and sends it immediately. Returns 409 if the email is not parked, ' +
    'or if its code, invitation or restore link is no longer valid; such an email is never sent.',
  access: ['Admin'],
  recent: { never: 'it sends again what was sent to the same address' },
  params: MailPath,
  response: MailAnswer,
  errors: ['not_found', 'conflict'],
  handler: async ({ params, caller, deps, request, refuse }) => {
    const outcome = await retryParkedMail(deps, params.id, actorOf(caller), request);
    switch (outcome?.kind) {
      case 'queued':
        return mailAnswer(outcome.mail);
      case undefined:
        throw refuse('not_found', 'Email not found');
      case 'dead':
        throw refuse('conflict', `Its ${outcome.secret} is no longer valid; request a new one`);
      case 'not_parked':
        throw refuse('conflict', `Only a parked email can be retried; this one is ${outcome.status}`);
    }
  },
});
