import {
  accountUpdated,
  byOwner,
  checkCode,
  countOnCommit,
  isOpenToRegistration,
  type CodeOutcome,
} from '@gatehouse/accounts';
import { accounts, audit, inTransaction, outbox } from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import {
  addressGroup,
  type Refuse,
  type RequestFacts,
  tooManyFailures,
  withMinimumDuration,
} from '@gatehouse/http';
import { Code, Email, emailKey, normalizeEmail, Type, typedCode } from '@gatehouse/schema';
import { route, type Deps } from '../deps.ts';

export const verifyEmail = route({
  method: 'post',
  path: '/account/verify',
  operationId: 'verifyEmail',
  tag: 'Account',
  summary: 'Verify an email address with an emailed code',
  description:
    'Accepts any code that was sent within the last 24 hours; using one invalidates the others. If the account ' +
    'was registered with two different passwords, both are discarded and the owner sets one with ' +
    '`/account/forgot-password`.',
  access: 'public',
  body: Type.Object({ Email: Email(), Code: Code() }),
  response: Type.Object({}),
  errors: ['invalid_code', 'too_many_requests'],
  handler: ({ body, deps, request, refuse }) =>
    withMinimumDuration(
      30,
      (async () => {
        const account = await accounts.findByEmailKey(deps.db, emailKey(normalizeEmail(body.Email) ?? ''));
        const code = await checkCode(deps, {
          account,
          purpose: 'verify',
          typed: typedCode(body.Code),
          addressGroup: addressGroup(request.address),
        });
        if ('retryAfterSeconds' in code) throw tooManyFailures(refuse, code);
        if ('failed' in code || account === undefined) throw refuse('invalid_code');

        await markVerified(deps, account.id, code, request, refuse);
        return {};
      })(),
    ),
});

/** Whoever reads the mails may have used any of the codes: it does not say which of two passwords is theirs. */
async function markVerified(
  deps: Deps,
  accountId: string,
  code: Extract<CodeOutcome, { use: unknown }>,
  request: RequestFacts,
  refuse: Refuse<'invalid_code'>,
): Promise<void> {
  await inTransaction(deps.db, request, async (tx) => {
    const account = await accounts.lockById(tx, accountId);
    if (account === undefined || !isOpenToRegistration(account)) throw refuse('invalid_code');
    if (!(await code.use(tx))) throw refuse('invalid_code');
    if (account.isContested) await accounts.removePassword(tx, accountId);
    await accounts.markEmailVerified(tx, accountId);
    countOnCommit(deps, tx, 'verification');
    const changed = account.isContested ? ['NewPasswordRequired'] : [];
    await outbox.add(tx, [
      newEvent('account.verified', { UserId: accountId }, request),
      ...accountUpdated(accountId, changed, { changedBy: accountId, origin: request }),
    ]);
    const details = account.isContested ? { Contested: true } : undefined;
    await audit.append(tx, [{ ...byOwner('account.verified', accountId), details }], request);
  });
  deps.relay.wake();
}
