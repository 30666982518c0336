import {
  accountUpdated,
  asOwner,
  checkCode,
  countOnCommit,
  differingNames,
  isOpenToRegistration,
  write,
} from '@gatehouse/accounts';
import { accounts, type Account, type AccountWithHash, type Transaction } from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import { tooManyFailures } from '@gatehouse/http';
import { withMinimumDuration } from '@gatehouse/runtime';
import { Code, Email, emailKey, Enum, normalizeEmail, Password, Type, typedCode } from '@gatehouse/schema';
import { routeOf, type Call, type Deps } from '../deps.ts';
import { requestCode, requireCode } from '../owner-proof.ts';
import { isDiscardedRegistration, isRegistrationToken } from './register.ts';

const route = routeOf({ tag: 'Account' });

/** The usual time for checking and using a code: emails without an account take as long. */
const VERIFY_MS = 30;

export const verifyRoutes = [
  route('POST /account/verify', {
    operationId: 'verifyEmail',
    summary: 'Verify an email address with an emailed code',
    description:
      'Accepts any code that was sent within the last 24 hours; using one invalidates the others. Password and name are ' +
      'discarded if a `RegistrationToken` or `Password` is given that does not belong to the registration, or if the ' +
      'account was registered with two passwords: the owner then sets one with `/account/forgot-password`.',
    access: 'public',
    body: Type.Object({
      Email: Email(),
      Code: Code(),
      RegistrationToken: Type.Optional(
        Type.String({ maxLength: 200, description: 'From the response of `/account/register`' }),
      ),
      Password: Type.Optional(Password()),
    }),
    response: Type.Object({}),
    errors: ['invalid_code', 'too_many_requests'],
    handler: async ({ body, ...call }) => {
      const registrant = { token: body.RegistrationToken, password: body.Password };
      const given = { email: normalizeEmail(body.Email) ?? '', typed: body.Code, registrant };
      await withMinimumDuration(VERIFY_MS, verify(call, given));
      return {};
    },
  }),

  route('POST /account/resend-verification', {
    operationId: 'resendVerification',
    summary: 'Request another email verification code',
    description:
      'Emails another code to an account that waits for its email address to be verified; earlier codes stay valid. The ' +
      'response and its timing are the same whether or not the email address has such an account.',
    access: 'public',
    body: Type.Object({ Email: Email() }),
    response: Type.Object({}),
    errors: ['too_many_requests'],
    handler: ({ body, ...call }) => requestCode(call, { email: body.Email, purpose: 'verify' }),
  }),

  route('POST /account/registration', {
    operationId: 'getRegistration',
    summary: 'Find out whether a registration was discarded',
    description:
      'For the page that waits for the code: the email address may have been verified elsewhere, without the password ' +
      'of this registration. The response tells only who registered the password what a login with it would tell.',
    access: 'public',
    body: Type.Object({ Email: Email(), RegistrationToken: Type.String({ maxLength: 200 }) }),
    response: Type.Object({
      IsDiscarded: Type.Boolean({
        description: 'Whether the password was discarded when the email was verified',
      }),
    }),
    handler: async ({ body, deps }) => {
      const find = accounts.findByEmailKey(deps.db, emailKey(normalizeEmail(body.Email) ?? ''));
      const account = await withMinimumDuration(VERIFY_MS, find);
      const { codes } = deps;
      return {
        IsDiscarded: account !== undefined && isDiscardedRegistration(codes, account, body.RegistrationToken),
      };
    },
  }),

  route('POST /account/code', {
    operationId: 'checkMailedCode',
    summary: 'Find out whether a mailed code still works',
    description:
      'For the page that the link of a mail opens. A code that works is not used up, and may be asked about as often as ' +
      'needed. Any other counts as a wrong try, as with `/account/verify` and `/account/reset-password`.',
    access: 'public',
    body: Type.Object({ Email: Email(), Code: Code(), Purpose: Enum(['verify', 'reset']) }),
    response: Type.Object({ IsValid: Type.Boolean() }),
    errors: ['too_many_requests'],
    handler: async ({ body, deps, request: { addressGroup }, refuse }) => {
      const check = async () => {
        const account = await accounts.findByEmailKey(deps.db, emailKey(normalizeEmail(body.Email) ?? ''));
        const typed = typedCode(body.Code);
        return checkCode(deps, { account, purpose: body.Purpose, typed, addressGroup, isOnlyAsked: true });
      };
      const checked = await withMinimumDuration(VERIFY_MS, check());
      if (checked.kind === 'throttled') throw tooManyFailures(refuse, checked);
      return { IsValid: checked.kind === 'right' };
    },
  }),
];

/** What shows that the caller registered the present password; all that is given must fit. */
type Registrant = Record<'token' | 'password', string | undefined>;

/**
 * Marks the email as verified. Password, name and language are removed if somebody else registered them, or if there were
 * two passwords: the reader of the mails may have used any of the codes, so the code does not tell whose they are.
 */
async function verify(
  call: Call<'invalid_code' | 'too_many_requests'>,
  { email, typed, registrant }: { email: string; typed: string; registrant: Registrant },
): Promise<void> {
  const { deps, request, refuse } = call;
  const known = await accounts.findWithHash(deps.db, emailKey(email));
  const code = await requireCode(call, { account: known, purpose: 'verify', typed });
  if (known === undefined) throw refuse('invalid_code');
  const { id } = known;
  const isRegistrant = await isByRegistrant(deps, known, registrant, request.addressGroup);
  await write(deps, asOwner(id, request), async (tx) => {
    const account = await accounts.lockById(tx, id);
    if (account === undefined || !isOpenToRegistration(account) || !(await code.use(tx)))
      throw refuse('invalid_code');
    countOnCommit(deps, tx, 'verification');
    const isKept = isRegistrant && !account.isContested && account.passwordVersion === known.passwordVersion;
    const changed = isKept ? [] : await discardRegistration(tx, account);
    await accounts.markEmailVerified(tx, id);
    tx.event(newEvent('account.verified', { UserId: id }, request));
    tx.event(...accountUpdated(id, changed, { changedBy: id, origin: request }));
    tx.audit('account.verified', isKept ? undefined : { Contested: true });
  });
}

/** Whether the caller may keep the password: anybody can press a button in a mail, also for a stranger's password. */
async function isByRegistrant(
  deps: Deps,
  account: AccountWithHash,
  { token, password }: Registrant,
  addressGroup: string,
): Promise<boolean> {
  if (token === undefined && password === undefined) return !deps.verifyNeedsRegistrant;
  if (token !== undefined && !isRegistrationToken(deps.codes, account, token)) return false;
  if (password === undefined) return true;
  const { passwordHash: hash, passwordScheme: scheme } = account;
  if (hash === null || scheme === null) return false;
  return deps.passwords.from(addressGroup).verify(password, { hash, scheme });
}

/** Removes what a stranger may have registered. Returns the changed fields. */
async function discardRegistration(tx: Transaction, account: Account): Promise<string[]> {
  await accounts.markContested(tx, account.id);
  await accounts.removePassword(tx, account.id);
  const after = (await accounts.findById(tx, account.id)) ?? account;
  return [...differingNames(account, after), 'NewPasswordRequired'];
}
