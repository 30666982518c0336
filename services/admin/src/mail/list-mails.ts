import { countRows } from '@gatehouse/accounts';
import { mailAdmin } from '@gatehouse/db';
import { countFields, CountedPage, countQuery, createPaging, pagingQuery } from '@gatehouse/http';
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
    ...countQuery(),
    status: Type.Optional(MailStatus),
    email: Type.Optional(Email()),
  }),
  response: CountedPage(MailAnswer),
  handler: async ({ query, deps, request }) => {
    const filter = { status: query.status, emailKey: keyOfEmail(query.email) };
    const page = { beforeId: paging.read(query.cursor)?.MailId, max: query.limit + 1 };
    const [rows, counted] = await Promise.all([
      mailAdmin.findNewest(deps.db, filter, page),
      query.count === true ? countRows(deps, mailAdmin.rowsOf(filter), request) : undefined,
    ]);
    const key = ({ id }: { id: string }) => ({ MailId: id });
    return { ...paging.page(rows, query.limit, { key, item: mailAnswer }), ...countFields(counted) };
  },
});
