import { mailAdmin } from '@gatehouse/db';
import { createPaging, Page, pagingQuery } from '@gatehouse/http';
import { Email, Type, Uuid } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { keyOfEmail } from '../key-of-email.ts';
import { mailAnswer, MailAnswer, MailStatus } from './mail-answer.ts';

const paging = createPaging(Type.Object({ MailId: Uuid() }));

export const listMails = route({
  method: 'get',
  path: '/admin/mail',
  operationId: 'listMails',
  tag: 'Mails',
  summary: 'List emails and their delivery status, newest first',
  description:
    'Lists every email that the mail worker has recorded. Sent emails are kept for `MAIL_KEEP_DAYS`, parked ' +
    'emails for at least 90 days.',
  access: ['Admin'],
  query: Type.Object({
    ...pagingQuery(),
    status: Type.Optional(MailStatus),
    email: Type.Optional(Email()),
  }),
  response: Page(MailAnswer),
  handler: async ({ query, deps }) => {
    const rows = await mailAdmin.findNewest(deps.db, {
      status: query.status,
      emailKey: keyOfEmail(query.email),
      beforeId: paging.read(query.cursor)?.MailId,
      max: query.limit + 1,
    });
    return paging.page(rows, query.limit, { key: ({ id }) => ({ MailId: id }), item: mailAnswer });
  },
});
