import { countRows } from '@gatehouse/accounts';
import { mailAdmin } from '@gatehouse/db';
import { CountedPage, countQuery, pagingById, pagingQuery } from '@gatehouse/http';
import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { by, defineFilters, email, moment } from '@gatehouse/kit';
import { mailAnswer, MailAnswer, MailStatus } from './mail-answer.ts';

const paging = pagingById('MailId');

const filters = defineFilters({
  status: by(MailStatus),
  email: email(),
  traceId: by(Type.String({ minLength: 1, maxLength: 128 })),
  finishedFrom: moment(),
  finishedTo: moment(),
});

export const listMails = route({
  method: 'get',
  path: '/admin/mail',
  operationId: 'listMails',
  tag: 'Mails',
  summary: 'List emails and their delivery status, newest first',
  description:
    'Lists the emails that the mail worker has recorded; sent ones are kept for `MAIL_KEEP_DAYS`, parked ' +
    'ones for at least 90 days. `finishedFrom` and `finishedTo` filter by the time when an email was sent ' +
    'or parked. A page can be short or empty and still have a `NextCursor`.',
  access: ['Admin'],
  query: Type.Object({ ...pagingQuery(), ...countQuery(), ...filters.query }),
  response: CountedPage(MailAnswer),
  handler: ({ query, deps, request }) => {
    const filter = filters.ofQuery(query);
    return paging.answer(query, {
      find: (page) => mailAdmin.findNewest(deps.db, filter, page),
      count: () => countRows(deps, mailAdmin.rowsOf(filter), request),
      items: (rows) => rows.map(mailAnswer),
    });
  },
});
