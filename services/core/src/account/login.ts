import { checkPassword, conditionOf, openSession, renewHash } from '@gatehouse/accounts';
import { accountCondition, addressGroup, ApiError } from '@gatehouse/http';
import { emailKey, normalizeEmail, Password, Text, Type } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { tooManyFailures } from './refusals.ts';
import { TokenSetAnswer } from './token-set.ts';

export const login = route({
  method: 'post',
  path: '/account/login',
  summary: 'Log in with email and password',
  access: 'public',
  body: Type.Object({
    Username: Type.String({ minLength: 1, maxLength: 320, description: 'The email of the account' }),
    Password: Password(),
    DeviceName: Type.Optional(Text(100, { description: 'What the owner will recognise this device by' })),
  }),
  response: TokenSetAnswer,
  errors: [
    'authentication_failed',
    'too_many_requests',
    'account_disabled',
    'account_expired',
    'email_confirmation_pending',
    'signup_pending',
    'migration_pending',
    'new_password_required',
    'invitation_pending',
  ],
  handler: async ({ body, deps, request }) => {
    const { address, traceId, userAgent } = request;
    // What is no address has no account; it costs the same work under a key of its own.
    const key = emailKey(normalizeEmail(body.Username) ?? body.Username.toWellFormed().replaceAll('\0', ''));
    const attempt = { emailKey: key, password: body.Password, addressGroup: addressGroup(address) };
    const outcome = await checkPassword(deps, attempt);
    if ('retryAfterSeconds' in outcome) throw tooManyFailures(outcome);
    if ('failed' in outcome) throw new ApiError('authentication_failed');

    const { account } = outcome;
    request.note({ accountId: account.id });
    const condition = conditionOf(account);
    if (condition !== undefined) throw accountCondition(condition);

    const origin = { address, traceId, userAgent, deviceName: body.DeviceName };
    const opening = await openSession(deps, account, origin);
    if ('condition' in opening) throw accountCondition(opening.condition);
    if ('stale' in opening) throw new ApiError('authentication_failed');
    request.note({ sessionId: opening.sessionId });
    await renewHash(deps, account, body.Password);
    return opening.tokens;
  },
});
