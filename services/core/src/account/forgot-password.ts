import { isResettable, mailCode, takeMailShare } from '@gatehouse/accounts';
import { accounts, inTransaction } from '@gatehouse/db';
import { addressGroup, inEvenTime, tooManyMails, type RequestFacts } from '@gatehouse/http';
import { Email, emailKey, normalizeEmail, Type } from '@gatehouse/schema';
import { route, type Deps } from '../deps.ts';

export const forgotPassword = route({
  method: 'post',
  path: '/account/forgot-password',
  operationId: 'forgotPassword',
  tag: 'Account',
  summary: 'Have a code mailed that sets a new password',
  description: 'The answer and its time are the same whether or not the email has an account.',
  access: 'public',
  body: Type.Object({ Email: Email() }),
  response: Type.Object({}),
  errors: ['too_many_requests'],
  handler: async ({ body, deps, request }) => {
    const limited = await takeMailShare(deps, addressGroup(request.address));
    if (limited !== undefined) throw tooManyMails(limited);
    await inEvenTime(60, mailResetCode(deps, normalizeEmail(body.Email) ?? '', request));
    return {};
  },
});

async function mailResetCode(deps: Deps, email: string, request: RequestFacts): Promise<void> {
  const account = await accounts.findByEmailKey(deps.db, emailKey(email));
  if (account === undefined || !isResettable(account)) return;
  await inTransaction(deps.db, request, async (tx) => {
    await accounts.lockById(tx, account.id);
    await mailCode(deps, tx, account, 'reset', request);
  });
  deps.relay.wake();
}
