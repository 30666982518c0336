import { mailAdmin } from '@gatehouse/db';
import { ApiError } from '@gatehouse/http';
import { route } from '../deps.ts';
import { mailAnswer, MailAnswer, MailPath } from './mail-answer.ts';

export const getMail = route({
  method: 'get',
  path: '/admin/mail/:id',
  operationId: 'getMail',
  tag: 'Mails',
  summary: 'Show what became of a mail',
  access: ['Admin'],
  params: MailPath,
  response: MailAnswer,
  errors: ['not_found'],
  handler: async ({ params, deps }) => {
    const mail = await mailAdmin.findById(deps.db, params.id);
    if (mail === undefined) throw new ApiError('not_found', 'There is no such mail');
    return mailAnswer(mail);
  },
});
