import { byOwner, checkCode, mailNotice } from '@gatehouse/accounts';
import { accountCodes, accounts, audit, inTransaction, passwordProofs } from '@gatehouse/db';
import { addressGroup, type Refuse, type RequestFacts, tooManyFailures } from '@gatehouse/http';
import { Code, emailKey, Type, typedCode } from '@gatehouse/schema';
import { route, type Deps } from '../deps.ts';

export const confirmEmail = route({
  method: 'post',
  path: '/account/confirm-email',
  operationId: 'confirmEmail',
  tag: 'Account',
  summary: 'Confirm a new email address with an emailed code',
  description:
    'The new address counts as verified, earlier codes become invalid, and a notice is sent to the previous ' +
    'address. Sessions remain active. Returns 409 if another account has taken the address in the meantime; the ' +
    'holder of the code controls that mailbox and may know.',
  access: 'session',
  body: Type.Object({ Code: Code() }),
  response: Type.Object({}),
  errors: ['invalid_code', 'email_taken', 'too_many_requests'],
  handler: async ({ body, caller, deps, request, refuse }) => {
    const account = await accounts.findById(deps.db, caller.accountId);
    const code = await checkCode(deps, {
      account,
      purpose: 'change-email',
      typed: typedCode(body.Code),
      addressGroup: addressGroup(request.address),
    });
    if ('retryAfterSeconds' in code) throw tooManyFailures(refuse, code);
    if ('failed' in code || code.email === undefined) throw refuse('invalid_code');
    await setEmail(deps, caller.accountId, { email: code.email, use: code.use }, request, refuse);
    return {};
  },
});

async function setEmail(
  deps: Deps,
  accountId: string,
  { email, use }: { email: string; use: Parameters<typeof inTransaction<boolean>>[2] },
  request: RequestFacts,
  refuse: Refuse<'invalid_code' | 'email_taken'>,
): Promise<void> {
  await inTransaction(deps.db, request, async (tx) => {
    const account = await accounts.lockById(tx, accountId);
    if (account === undefined || !(await use(tx))) throw refuse('invalid_code');
    const changed = await passwordProofs.finishEmailChange(tx, accountId, emailKey(email));
    // Thrown inside: the code is not used up.
    if (changed === 'taken') throw refuse('email_taken');
    if (changed === 'unasked') throw refuse('invalid_code');
    await accountCodes.deleteAll(tx, accountId);
    await mailNotice(deps, tx, account, 'account.email-changed', { UserId: accountId }, request);
    await audit.append(tx, [byOwner('email.changed', accountId)], request);
  });
  deps.relay.wake();
}
