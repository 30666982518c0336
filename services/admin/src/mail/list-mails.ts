import { countRows } from '@gatehouse/accounts';
import { mailAdmin } from '@gatehouse/db';
import { countFields, CountedPage, countQuery, createPaging, pagingQuery } from '@gatehouse/http';
import { Email, Timestamp, Type, Uuid } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { keyOfEmail } from '../key-of-email.ts';
import { readMoment } from '../read-moment.ts';
import { mailAnswer, MailAnswer, MailStatus } from './mail-answer.ts';

const paging = createPaging(Type.Object({ MailId: Uuid() }));

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
  query: Type.Object({
    ...pagingQuery(),
    ...countQuery(),
    status: Type.Optional(MailStatus),
    email: Type.Optional(Email()),
    traceId: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
    finishedFrom: Type.Optional(Timestamp()),
    finishedTo: Type.Optional(Timestamp()),
  }),
  response: CountedPage(MailAnswer),
  handler: async ({ query, deps, request }) => {
    const filter = {
      status: query.status,
      emailKey: keyOfEmail(query.email),
      traceId: query.traceId,
      finishedFrom: readMoment(query.finishedFrom, '/query/finishedFrom'),
      finishedTo: readMoment(query.finishedTo, '/query/finishedTo'),
    };
    const page = { beforeId: paging.read(query.cursor)?.MailId, max: query.limit };
    const [{ mails, nextBeforeId }, counted] = await Promise.all([
      mailAdmin.findNewest(deps.db, filter, page),
      query.count === true ? countRows(deps, mailAdmin.rowsOf(filter), request) : undefined,
    ]);
    return {
      Items: mails.map(mailAnswer),
      ...(nextBeforeId !== undefined && { NextCursor: paging.cursor({ MailId: nextBeforeId }) }),
      ...countFields(counted),
    };
  },
});
