import { CHANGED_MAX, retryMails as retryParkedMails } from '@gatehouse/accounts';
import { mailKinds } from '@gatehouse/events';
import { NameOf, Text, Type } from '@gatehouse/schema';
import { changeInBulk } from '../bulk-order.ts';
import { route } from '../deps.ts';
import { by, defineFilters, email, moment } from '@gatehouse/kit';

const filters = defineFilters(
  {
    kind: by(NameOf(mailKinds)),
    email: email(),
    from: moment(),
    to: moment(),
    error: by(Text(200, { description: 'Part of `LastError`, case-insensitively' })),
  },
  { title: 'ParkedMailFilter' },
);

export const retryMails = route({
  method: 'post',
  path: '/admin/mail/retry',
  operationId: 'retryMails',
  tag: 'Mails',
  summary: 'Retry all matching parked emails',
  description:
    'Retries every parked email that matches the filter, as `POST /admin/mail/{id}/retry` does, and skips ' +
    'those whose code or link is no longer valid. An empty filter is refused. Returns 409 if more than ' +
    `${CHANGED_MAX} emails match.`,
  access: ['Admin'],
  recent: { never: 'it sends again what was sent to the same addresses' },
  body: Type.Object({ Filter: filters.body, DryRun: Type.Optional(Type.Boolean()) }),
  response: Type.Object({
    Count: Type.Integer({ description: 'Emails that are sent again' }),
    Skipped: Type.Integer({ description: 'Matching emails whose code or link is no longer valid' }),
  }),
  errors: ['conflict'],
  handler: async ({ body, deps, ...asked }) => {
    const filter = filters.ofBody(body.Filter);
    const most = { max: CHANGED_MAX, things: 'emails' };
    const { count, skipped } = await changeInBulk({ ...asked, body }, most, (order) =>
      retryParkedMails(deps, filter, order),
    );
    return { Count: count, Skipped: skipped };
  },
});
