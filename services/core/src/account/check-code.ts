import { checkCode } from '@gatehouse/accounts';
import { accounts } from '@gatehouse/db';
import { tooManyFailures } from '@gatehouse/http';
import { withMinimumDuration } from '@gatehouse/runtime';
import { Code, Email, emailKey, Enum, normalizeEmail, Type, typedCode } from '@gatehouse/schema';
import { route } from '../deps.ts';

/** The usual time for checking a code: emails without an account take as long. */
const CHECK_MS = 30;

export const checkMailedCode = route('POST /account/code', {
  operationId: 'checkMailedCode',
  tag: 'Account',
  summary: 'Find out whether a mailed code still works',
  description:
    'For the page that the link of a mail opens. A code that works is not used up, and may be asked about as often as ' +
    'needed. Any other counts as a wrong try, as with `/account/verify` and `/account/reset-password`.',
  access: 'public',
  body: Type.Object({ Email: Email(), Code: Code(), Purpose: Enum(['verify', 'reset']) }),
  response: Type.Object({ IsValid: Type.Boolean() }),
  errors: ['too_many_requests'],
  handler: async ({ body, deps, request, refuse }) => {
    const { addressGroup } = request;
    const check = async () => {
      const account = await accounts.findByEmailKey(deps.db, emailKey(normalizeEmail(body.Email) ?? ''));
      const typed = typedCode(body.Code);
      return checkCode(deps, { account, purpose: body.Purpose, typed, addressGroup, isOnlyAsked: true });
    };
    const checked = await withMinimumDuration(CHECK_MS, check());
    if (checked.kind === 'throttled') throw tooManyFailures(refuse, checked);
    return { IsValid: checked.kind === 'right' };
  },
});
