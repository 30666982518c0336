import { takeMailShare } from '@gatehouse/accounts';
import { inTransaction, mailRequests } from '@gatehouse/db';
import { addressGroup, tooManyMails, withMinimumDuration } from '@gatehouse/http';
import { Email, emailKey, normalizeEmail, Type } from '@gatehouse/schema';
import { route } from '../deps.ts';

/** What a mail takes to be on its way, as a rule: whoever asks finds it so. */
const MAIL_MS = 60;

export const forgotPassword = route({
  method: 'post',
  path: '/account/forgot-password',
  operationId: 'forgotPassword',
  tag: 'Account',
  summary: 'Request a password reset code',
  description:
    'Emails a code for setting a new password. The response and its timing are the same whether or not the email ' +
    'address has an account.',
  access: 'public',
  body: Type.Object({ Email: Email() }),
  response: Type.Object({}),
  errors: ['too_many_requests'],
  handler: async ({ body, deps, request }) => {
    const limited = await takeMailShare(deps, addressGroup(request.address));
    if (limited !== undefined) throw tooManyMails(limited);
    const asked = { emailKey: emailKey(normalizeEmail(body.Email) ?? ''), traceId: request.traceId };
    const kept = inTransaction(deps.db, request, (tx) => mailRequests.add(tx, asked));
    await withMinimumDuration(
      MAIL_MS,
      kept.then(() => deps.mailRequests.wake()),
    );
    return {};
  },
});
