import { mailAdmin } from '@gatehouse/db';
import { route } from '../deps.ts';
import { mailAnswer, MailAnswer, MailPath } from './mail-answer.ts';

export const getMail = route({
  method: 'get',
  path: '/admin/mail/:id',
  operationId: 'getMail',
  tag: 'Mails',
  summary: 'Get an email and its delivery status',
  access: ['Admin'],
  params: MailPath,
  response: MailAnswer,
  errors: ['not_found'],
  handler: async ({ params, deps, refuse }) => {
    const mail = await mailAdmin.findById(deps.db, params.id);
    if (mail === undefined) throw refuse('not_found', 'Email not found');
    return mailAnswer(mail);
  },
});
