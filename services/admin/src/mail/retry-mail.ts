import { actorOf, retryMail as retryParkedMail } from '@gatehouse/accounts';
import { ApiError } from '@gatehouse/http';
import { route } from '../deps.ts';
import { mailAnswer, MailAnswer, MailPath } from './mail-answer.ts';

export const retryMail = route({
  method: 'post',
  path: '/admin/mail/:id/retry',
  operationId: 'retryMail',
  tag: 'Mails',
  summary: 'Have a parked mail sent again',
  description:
    'Its tries and its patience begin anew, and it goes out at once. 409 for a mail that is not parked, and for one whose code or invitation would open nothing any more: such a mail is never sent.',
  access: ['Admin'],
  params: MailPath,
  response: MailAnswer,
  errors: ['not_found', 'conflict'],
  handler: async ({ params, caller, deps, request }) => {
    const outcome = await retryParkedMail(deps, params.id, actorOf(caller), request);
    if (outcome === undefined) throw new ApiError('not_found', 'There is no such mail');
    if ('mail' in outcome) return mailAnswer(outcome.mail);
    throw new ApiError(
      'conflict',
      'dead' in outcome
        ? `Its ${outcome.dead} is no longer valid; a new one has to be asked for`
        : `Only a parked mail can be sent again; this one is ${outcome.status}`,
    );
  },
});
