import { actorOf, RETRIED_MAX, retryMails as retryParkedMails } from '@gatehouse/accounts';
import { mailKinds } from '@gatehouse/events';
import { Email, NameOf, Text, Timestamp, Type } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { keyOfEmail } from '../key-of-email.ts';
import { readMoment } from '../read-moment.ts';

const Filter = Type.Object(
  {
    Kind: Type.Optional(NameOf(mailKinds)),
    Email: Type.Optional(Email()),
    From: Type.Optional(Timestamp()),
    To: Type.Optional(Timestamp()),
    Error: Type.Optional(Text(200, { description: 'Part of `LastError`, case-insensitively' })),
  },
  { title: 'ParkedMailFilter', minProperties: 1 },
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
    `${RETRIED_MAX} emails match.`,
  access: ['Admin'],
  recent: { never: 'it sends again what was sent to the same addresses' },
  body: Type.Object({ Filter, DryRun: Type.Optional(Type.Boolean()) }),
  response: Type.Object({
    Count: Type.Integer({ description: 'Emails that are sent again' }),
    Skipped: Type.Integer({ description: 'Matching emails whose code or link is no longer valid' }),
  }),
  errors: ['conflict'],
  handler: async ({ body, caller, deps, request, refuse }) => {
    const { Kind: kind, Email: email, From, To, Error: error } = body.Filter;
    const filter = {
      kind,
      emailKey: keyOfEmail(email),
      from: readMoment(From, '/Filter/From'),
      to: readMoment(To, '/Filter/To'),
      error,
    };
    const isTrial = body.DryRun === true;
    const retried = await retryParkedMails(deps, { filter, isTrial }, actorOf(caller), request);
    if (retried.kind === 'too_many') {
      throw refuse('conflict', `More than ${RETRIED_MAX} emails match; nothing was changed`);
    }
    request.addToLog({ changed: isTrial ? 0 : retried.count });
    return { Count: retried.count, Skipped: retried.skipped };
  },
});
