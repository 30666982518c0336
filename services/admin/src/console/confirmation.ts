import {
  asOwner,
  confirmSession,
  EXPIRED_CHECK,
  exchangeThrottled,
  FAILED_CHECK,
  ownSession,
  requestOwnPasskey,
  requiresSecondFactor,
  write,
} from '@gatehouse/accounts';
import { PASSKEY_FIELDS } from '@gatehouse/auth-core';
import { accounts, sessionCodes, sessionConfirmations } from '@gatehouse/db';
import { invalidField, PasskeyChallenge, passkeyChallenge, reply, tooManyFailures } from '@gatehouse/http';
import type { RequestFacts } from '@gatehouse/http';
import { Optional, Password, TwoFactorCode, Type, typedCode, type Static } from '@gatehouse/schema';
import { routeOf, type Deps } from '../deps.ts';

const route = routeOf({ tag: 'Console' });

export const requestConsoleConfirmation = route('POST /console/session/confirm/passkey', {
  operationId: 'beginConsoleConfirmation',
  summary: 'Start a confirmation with a passkey',
  description:
    'Returns the options for signing with one of your passkeys, for `POST /console/session/confirm`. Returns ' +
    '409 if you have none.',
  access: 'admin session',
  recent: { never: 'it begins such a proof' },
  response: PasskeyChallenge,
  errors: ['conflict', 'too_many_requests'],
  handler: async ({ caller: { accountId }, deps, request, refuse }) => {
    const own = { accountId, addressGroup: request.addressGroup };
    return passkeyChallenge(refuse, await requestOwnPasskey(deps, own, request));
  },
});

const Body = Type.Object(
  {
    Password: Type.Optional(Password()),
    TwoFactorCode: Type.Optional(TwoFactorCode()),
    ...PASSKEY_FIELDS,
    SignOnCode: Optional.String({
      maxLength: 100,
      description: 'The code of a fresh sign-on, from the `#` of the address',
    }),
  },
  {
    oneOfFields: {
      WithPassword: ['Password'],
      WithTwoFactorCode: ['TwoFactorCode'],
      WithPasskey: ['PasskeyToken', 'Credential'],
      WithSignOn: ['SignOnCode'],
    },
  },
);

export const confirmConsoleSession = route('POST /console/session/confirm', {
  operationId: 'confirmConsoleSession',
  summary: 'Confirm who you are',
  description:
    'Dangerous actions require this in browser sessions, within the last five minutes, with the same cookie or access ' +
    'token. Send the `Password`, a `TwoFactorCode`, the `Credential` of a passkey with its token, or the `SignOnCode` ' +
    'of a fresh sign-on (`/auth/{provider}/login?console=true&confirm=true`). If the session has ' +
    '`ConfirmsWithCode`, the password is not enough: 403 `confirmation_required`.',
  access: 'admin session',
  recent: { never: 'it is such a proof' },
  body: Body,
  errors: ['wrong_password', 'wrong_code', 'invalid_code', 'confirmation_required', 'too_many_requests'],
  handler: async ({ body, caller, deps, request, refuse }) => {
    const session = ownSession(caller);
    const from = { addressGroup: request.addressGroup };
    const shown = readConfirmationProof(body);
    const outcome =
      'signOnCode' in shown
        ? await confirmByCode(deps, session, shown.signOnCode, request)
        : await confirmSession(deps, { ...session, purpose: 'action', ...from, ...shown }, request);
    switch (outcome.kind) {
      case 'confirmed':
        return reply({ status: 204 });
      case 'failed':
        throw refuse('invalid_code');
      case 'unproven':
        throw refuse('confirmation_required', 'Show your second factor or a passkey instead of the password');
      case 'wrong':
        if (outcome.shown === 'password') throw refuse('wrong_password');
        throw refuse('wrong_code', outcome.shown === 'passkey' ? 'The passkey was not accepted' : undefined);
      case 'throttled':
        throw tooManyFailures(refuse, outcome);
    }
  },
});

function readConfirmationProof(body: Static<typeof Body>) {
  const { Password: password, TwoFactorCode: typed, PasskeyToken, Credential, SignOnCode } = body;
  const isCredential = PasskeyToken !== undefined || Credential !== undefined;
  const shown =
    [password, typed, SignOnCode].filter((one) => one !== undefined).length + Number(isCredential);
  if (shown === 1) {
    if (password !== undefined) return { password };
    if (typed !== undefined) return { code: typedCode(typed) };
    if (SignOnCode !== undefined) return { signOnCode: SignOnCode };
    if (PasskeyToken !== undefined && Credential !== undefined)
      return { passkey: { token: PasskeyToken, credential: Credential } };
  }
  const message = 'give the password, or TwoFactorCode, or PasskeyToken and Credential, or SignOnCode';
  throw invalidField('/Password', message, 'does_not_go_with');
}

/** Uses up the code of a new sign-on to the session’s own account: its owner has just proved their identity. */
function confirmByCode(
  deps: Deps,
  { accountId, sessionId, credential }: ReturnType<typeof ownSession>,
  code: string,
  request: RequestFacts,
) {
  const presented = { code, addressGroup: request.addressGroup };
  return exchangeThrottled<{ kind: 'confirmed' }>(deps, presented, async (codeHash) => {
    const found = await sessionCodes.findForConsole(deps.db, codeHash, 'confirmation');
    if (found === undefined) return FAILED_CHECK;
    if (found.accountId !== accountId) return EXPIRED_CHECK;
    const isConfirmed = await write(deps, asOwner(accountId, request), async (tx) => {
      if (!(await sessionCodes.use(tx, 'console_code', codeHash))) return false;
      const account = await accounts.findById(tx, accountId);
      // If a second factor is required, only a sign-on at a provider that is trusted with it makes a code.
      const isBoth = account !== undefined && requiresSecondFactor(account);
      const by = isBoth ? (['sign-on', 'second-factor'] as const) : (['sign-on'] as const);
      await sessionConfirmations.record(tx, { sessionId, credential, purpose: 'action', by });
      return true;
    });
    return isConfirmed ? { counts: 'succeeded', outcome: { kind: 'confirmed' } } : EXPIRED_CHECK;
  });
}
