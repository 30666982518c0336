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
    'or if its code or invitation is no longer valid; such an email is never sent.',
  access: ['Admin'],
  params: MailPath,
  response: MailAnswer,
  errors: ['not_found', 'conflict'],
  handler: async ({ params, caller, deps, request, refuse }) => {
    const outcome = await retryParkedMail(deps, params.id, actorOf(caller), request);
    if (outcome === undefined) throw refuse('not_found', 'Email not found');
    if ('mail' in outcome) return mailAnswer(outcome.mail);
    throw refuse(
      'conflict',
      'dead' in outcome
        ? `Its ${outcome.dead} is no longer valid; request a new one`
        : `Only a parked email can be retried; this one is ${outcome.status}`,
    );
  },
});
