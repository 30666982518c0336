import { checkCode } from '@gatehouse/accounts';
import { accounts, inTransaction, outbox } from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import { addressGroup, ApiError, inEvenTime, tooManyFailures } from '@gatehouse/http';
import { Code, Email, emailKey, normalizeEmail, Type, typedCode } from '@gatehouse/schema';
import { route } from '../deps.ts';

export const verifyEmail = route({
  method: 'post',
  path: '/account/verify',
  summary: 'Verify an email with the code that was mailed',
  access: 'public',
  body: Type.Object({ Email: Email(), Code: Code() }),
  response: Type.Object({}),
  errors: ['invalid_code', 'too_many_requests'],
  handler: ({ body, deps, request }) =>
    inEvenTime(
      30,
      (async () => {
        const account = await accounts.findByEmailKey(deps.db, emailKey(normalizeEmail(body.Email) ?? ''));
        const code = await checkCode(deps, {
          account,
          purpose: 'verify',
          typed: typedCode(body.Code),
          addressGroup: addressGroup(request.address),
        });
        if ('retryAfterSeconds' in code) throw tooManyFailures(code);
        if ('failed' in code || account === undefined) throw new ApiError('invalid_code');

        await inTransaction(deps.db, async (tx) => {
          await accounts.lockById(tx, account.id);
          if (!(await code.use(tx))) throw new ApiError('invalid_code');
          await accounts.markEmailVerified(tx, account.id);
          await outbox.add(tx, [newEvent('account.verified', { UserId: account.id }, request)]);
        });
        deps.relay.wake();
        return {};
      })(),
    ),
});
