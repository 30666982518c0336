import {
  asOwner,
  checkOwnPassword,
  countedForOwner,
  enableTwoFactor,
  findProof,
  findStep,
  mailCode,
  mailNotice,
  newRecoveryCodes,
  newSecret,
  ownSession,
  provesFreshly,
  TwoFactorSetup,
  usesSecondFactor,
  write,
  type OwnCode,
} from '@gatehouse/accounts';
import type { TotpSetup } from '@gatehouse/auth-core';
import { accounts, passkeys, recoveryCodes, sessionConfirmations, twoFactor } from '@gatehouse/db';
import type { Account, Transaction } from '@gatehouse/db';
import { invalidField, confirmationRequired, tooManyFailures } from '@gatehouse/http';
import type { ApiError, Refuse } from '@gatehouse/http';
import { Code, Password, TwoFactorCode, Type, typedCode } from '@gatehouse/schema';
import { routeOf, type Call, type Deps } from '../deps.ts';
import { orThrow, requireCode } from '../owner-proof.ts';

const route = routeOf({ tag: 'Two-factor authentication', access: 'session' });

const ENABLED = 'Two-factor authentication is already enabled';
const NOT_ENABLED = 'Two-factor authentication is not enabled';
const NOT_BEGUN = 'No two-factor setup in progress; request a secret first';

const RecoveryCodes = Type.Array(Type.String(), {
  description: 'Each code can be used once. Shown only in this response.',
});

export const twoFactorRoutes = [
  route('POST /account/two-factor', {
    operationId: 'setUpTwoFactor',
    summary: 'Set up two-factor authentication',
    description:
      'With `Password`, or with the `Code` that an empty body mails to an account without one, returns a ' +
      'new secret for an authenticator app. With a `TwoFactorCode` from that app, enables two-factor ' +
      'authentication and ends the other sessions of the account. If a passkey is the second factor, the ' +
      'login must be at most five minutes ago.',
    body: Type.Object({
      Password: Type.Optional(Password()),
      Code: Type.Optional(Code()),
      TwoFactorCode: Type.Optional(TwoFactorCode()),
    }),
    response: Type.Union([
      Type.Object({ TwoFactorSetup }, { title: 'TwoFactorSetupStarted' }),
      Type.Object({ RecoveryCodes }, { title: 'TwoFactorSetupCompleted' }),
      Type.Object({}, { title: 'TwoFactorCodeMailed', description: 'A code was sent by email' }),
    ]),
    errors: [
      'wrong_password',
      'invalid_code',
      'wrong_code',
      'confirmation_required',
      'conflict',
      'too_many_requests',
    ],
    handler: ({ body, caller, ...call }) => {
      const session = ownSession(caller);
      if (body.TwoFactorCode === undefined) return begin(call, session, body);
      return confirm(call, session, typedCode(body.TwoFactorCode));
    },
  }),

  route('DELETE /account/two-factor', {
    operationId: 'removeTwoFactor',
    summary: 'Disable two-factor authentication',
    description:
      'Requires a code from the authenticator app or a recovery code. A wrong code counts as a failed login.',
    body: Type.Object({ TwoFactorCode: TwoFactorCode() }),
    response: Type.Object({}),
    errors: ['wrong_code', 'forbidden', 'conflict', 'too_many_requests'],
    handler: async ({ body, caller: { accountId }, deps, request, refuse }) => {
      const code = typedCode(body.TwoFactorCode);
      const found = await accounts.findById(deps.db, accountId);
      if (found?.isTwoFactorEnabled !== true) throw refuse('conflict', NOT_ENABLED);
      const required = () => refuse('forbidden', 'Two-factor authentication is required for this account');
      if (found.isTwoFactorRequired) throw required();
      const own = { accountId, code, addressGroup: request.addressGroup };
      return withCode(deps, own, { refuse, detail: NOT_ENABLED }, async () => {
        const proof = await findProof(deps, accountId, code);
        if (proof === undefined) return undefined;
        return write(deps, asOwner(accountId, request), async (tx) => {
          const account = await accounts.lockById(tx, accountId);
          if (account === undefined) return refuse('conflict', NOT_ENABLED);
          if (account.isTwoFactorRequired) return required();
          if (!(await proof.use(tx))) return undefined;
          await twoFactor.remove(tx, accountId);
          await recoveryCodes.deleteUnneeded(tx, accountId);
          await mailNotice(deps, tx, account, 'account.two-factor-disabled', {}, request);
          tx.audit('two-factor.disabled');
          return {};
        });
      });
    },
  }),

  route('POST /account/recovery-codes', {
    operationId: 'renewRecoveryCodes',
    summary: 'Get new recovery codes',
    description:
      'Requires a code from the authenticator app or a recovery code, or, for an account with a passkey, a ' +
      'login within the last five minutes. All earlier recovery codes become invalid. A wrong code counts ' +
      'as a failed login.',
    body: Type.Object({ TwoFactorCode: Type.Optional(TwoFactorCode()) }),
    response: Type.Object({ RecoveryCodes }),
    errors: ['wrong_code', 'confirmation_required', 'conflict', 'too_many_requests'],
    handler: async ({ body, caller, deps, request, refuse }) => {
      const session = ownSession(caller);
      const { accountId } = session;
      const found = await accounts.findById(deps.db, accountId);
      if (found === undefined || !usesSecondFactor(found)) throw refuse('conflict', NOT_ENABLED);
      const renew = (use: (tx: Transaction) => Promise<boolean>) =>
        write(deps, asOwner(accountId, request), async (tx) => {
          const account = await accounts.lockById(tx, accountId);
          if (account === undefined || !usesSecondFactor(account)) return refuse('conflict', NOT_ENABLED);
          if (!(await use(tx))) return undefined;
          await mailNotice(deps, tx, account, 'account.recovery-codes-renewed', {}, request);
          tx.audit('two-factor.recovery-codes-renewed');
          return { RecoveryCodes: await newRecoveryCodes(deps, tx, accountId) };
        });
      if (body.TwoFactorCode === undefined) {
        // Owners with passkeys may have no code at all: a recent login is enough, as it required a second factor.
        if (!found.hasPasskey) throw invalidField('/TwoFactorCode');
        const renewed = await renew((tx) => provesFreshly(tx, session, found));
        if (renewed === undefined) throw confirmationRequired(refuse);
        return orThrow(renewed);
      }
      const own = { accountId, code: typedCode(body.TwoFactorCode), addressGroup: request.addressGroup };
      return withCode(deps, own, { refuse, detail: NOT_ENABLED }, async () => {
        const proof = await findProof(deps, accountId, own.code);
        return proof && renew(proof.use);
      });
    },
  }),
];

/**
 * Makes a change that a code of the owner allows. `change` checks it, and returns `undefined` if it is wrong; it returns
 * any other refusal instead of throwing it, because the code was correct then, and is counted as such.
 */
async function withCode<T extends object>(
  deps: Deps,
  own: OwnCode,
  { refuse, detail }: { refuse: Refuse<'wrong_code' | 'conflict' | 'too_many_requests'>; detail: string },
  change: () => Promise<T | ApiError | undefined>,
): Promise<T> {
  type Right = { kind: 'right'; result: T | ApiError };
  const checked = await countedForOwner<Right>(deps, own, async () => {
    const result = await change();
    return result === undefined ? { kind: 'failed' } : { kind: 'right', result };
  });
  switch (checked.kind) {
    case 'throttled':
      throw tooManyFailures(refuse, checked);
    case 'failed':
      throw refuse('wrong_code');
    case 'conflict':
      throw refuse('conflict', detail);
    case 'right':
      return orThrow(checked.result);
  }
}

type Session = ReturnType<typeof ownSession>;

/**
 * Begins to set up an authenticator, each time with a new secret. It requires the password, or a mailed code of an
 * account without one: otherwise, an attacker with a stolen session could lock the owner out permanently. If a passkey
 * is the second factor, neither is enough: a recent login with it is required.
 */
async function begin(
  call: Call<'conflict' | 'confirmation_required' | BadProof>,
  session: Session,
  given: { Password?: string; Code?: string },
): Promise<{ TwoFactorSetup?: TotpSetup }> {
  const { deps, request, refuse } = call;
  const account = await accounts.findById(deps.db, session.accountId);
  if (account === undefined || account.isTwoFactorEnabled) throw refuse('conflict', ENABLED);
  if (usesSecondFactor(account) && !(await provesFreshly(deps.db, session, account)))
    throw confirmationRequired(refuse);
  const proof = await proveSetUp(call, account, given);
  if (proof === undefined) return {};
  const { id, passwordVersion } = proof.account;
  const { setup, secretSealed } = newSecret(deps, proof.account);
  const begun = await write(deps, asOwner(id, request), async (tx) => {
    const locked = await accounts.lockById(tx, id);
    // If the password has changed since, the proof counts as wrong, whether a password or a code.
    if (locked?.passwordVersion !== passwordVersion || !(await proof.use(tx))) throw refuse(proof.wrong);
    const isBegun = await twoFactor.begin(tx, id, secretSealed, passwordVersion);
    return isBegun ? { TwoFactorSetup: setup } : refuse('conflict', ENABLED);
  });
  return orThrow(begun);
}

type BadProof = 'wrong_password' | 'invalid_code' | 'too_many_requests';

/** Checks the password or the code from the mail; without them, mails one to an account that has no password. */
async function proveSetUp(call: Call<BadProof>, account: Account, given: Parameters<typeof begin>[2]) {
  const { deps, request, refuse } = call;
  const { Password: password, Code: code } = given;
  if (password !== undefined) {
    const { addressGroup } = request;
    const checked = await checkOwnPassword(deps, { accountId: account.id, password, addressGroup });
    if (checked.kind === 'throttled') throw tooManyFailures(refuse, checked);
    if (checked.kind === 'failed') throw refuse('wrong_password');
    return { account: checked.account, use: () => Promise.resolve(true), wrong: 'wrong_password' } as const;
  }
  if (account.passwordScheme !== null)
    throw invalidField('/Password', 'is required, because the account has a password');
  if (code !== undefined) {
    const shown = { account, purpose: 'two-factor', typed: code } as const;
    const { use } = await requireCode(call, shown);
    return { account, use, wrong: 'invalid_code' } as const;
  }
  await write(deps, asOwner(account.id, request), async (tx) => {
    const locked = await accounts.lockById(tx, account.id);
    if (locked !== undefined) await mailCode(deps, tx, locked, 'two-factor', request);
  });
  return undefined;
}

/**
 * Enables an authenticator with its first code, and ends all other sessions of the account, because they were opened
 * without it. A set-up that was begun before a passkey became the second factor is not sufficient.
 */
async function confirm(
  { deps, request, refuse }: Call<'conflict' | 'wrong_code' | 'confirmation_required' | 'too_many_requests'>,
  session: Session,
  code: string,
) {
  const { accountId, sessionId } = session;
  const stored = await twoFactor.find(deps.db, accountId);
  if (stored === undefined || stored.isEnabled) throw refuse('conflict', NOT_BEGUN);
  const { secretSealed } = stored;
  const own = { accountId, code, addressGroup: request.addressGroup };
  return withCode(deps, own, { refuse, detail: NOT_BEGUN }, async () => {
    const step = findStep(deps, accountId, secretSealed, code);
    if (step === undefined) return undefined;
    return write(deps, asOwner(accountId, request), async (tx) => {
      const account = await accounts.lockById(tx, accountId);
      if (account !== undefined && (await isUnconfirmed(tx, account, session)))
        return confirmationRequired(refuse);
      const codes = account && (await enableTwoFactor(deps, tx, account, { secretSealed, step }, request));
      if (codes === undefined) return refuse('conflict', NOT_BEGUN);
      // Whoever has just shown the code need not show another one for what they do next.
      await sessionConfirmations.record(tx, { ...session, purpose: 'action', by: ['second-factor'] });
      const others = { kind: 'account', accountId, exceptSessionId: sessionId } as const;
      await tx.endSessions(others, 'two_factor_enabled');
      return { RecoveryCodes: codes };
    });
  });
}

/**
 * Whether a passkey is the second factor and the owner has not used it recently. The passkeys are counted after locking
 * the account: the locked row may have been selected before the first one was added.
 */
async function isUnconfirmed(tx: Transaction, account: Account, session: Session): Promise<boolean> {
  if (!account.isTwoFactorRequired || (await passkeys.count(tx, account.id)) === 0) return false;
  return !(await provesFreshly(tx, session, { ...account, hasPasskey: true }));
}
