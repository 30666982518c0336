import {
  accountUpdated,
  asOwner,
  countOnCommit,
  describePasswordFault,
  differingNames,
  mailNotice,
  proveOwner,
  write,
  type OwnerProofInput,
} from '@gatehouse/accounts';
import { accountCodes, accounts, loginThrottle, userSessions } from '@gatehouse/db';
import type { Account, Transaction } from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import { invalidPassword, type Refuse } from '@gatehouse/http';
import { withMinimumDuration } from '@gatehouse/runtime';
import {
  Code,
  DisplayName,
  Email,
  emailKey,
  Locale,
  normalizeEmail,
  Optional,
  Password,
  Type,
} from '@gatehouse/schema';
import { routeOf, type Call, type Deps } from '../deps.ts';
import {
  OWNER_PROOF_ERRORS,
  OwnerProofBody,
  proofError,
  proved,
  readOwnerProof,
  requestCode,
  requireCode,
} from '../owner-proof.ts';
import type { ProofError, Proved } from '../owner-proof.ts';

const route = routeOf({ tag: 'Account' });

const KeepApps = Optional.Boolean({
  description: 'Whether apps and devices that stay signed in by themselves do so; by default they do not',
});

/** The usual time for checking a code: emails without an account take as long. */
const CHECK_MS = 30;

export const passwordRoutes = [
  route('POST /account/forgot-password', {
    operationId: 'forgotPassword',
    summary: 'Request a password reset code',
    description:
      'Emails a code for setting a new password. The response and its timing are the same whether or not the email ' +
      'address has an account.',
    access: 'public',
    body: Type.Object({ Email: Email() }),
    response: Type.Object({}),
    errors: ['too_many_requests'],
    handler: ({ body, ...call }) => requestCode(call, { email: body.Email, purpose: 'reset' }),
  }),

  route('POST /account/reset-password', {
    operationId: 'resetPassword',
    summary: 'Reset the password with an emailed code',
    description:
      'Ends all sessions of the account. The email address counts as verified, because the code was sent to it. An ' +
      'account that was waiting for its owner is completed, with the given name and language.',
    access: 'public',
    body: Type.Object({
      Email: Email(),
      Code: Code(),
      Password: Password(),
      DisplayName: Type.Optional(DisplayName()),
      Locale: Type.Optional(Locale()),
      KeepApps,
    }),
    response: Type.Object({}),
    errors: ['invalid_code', 'too_many_requests'],
    handler: async ({ body, ...call }) => {
      const { deps, request, refuse } = call;
      const email = normalizeEmail(body.Email) ?? '';
      await requireFitPassword(deps, body.Password, email);
      const { id, code } = await withMinimumDuration(CHECK_MS, tryCode(call, email, body.Code));
      const passwordHash = await deps.passwords.from(request.addressGroup).hash(body.Password);
      // Invalidates everything from before: sessions, codes and counted failures.
      await write(deps, asOwner(id, request), async (tx) => {
        const account = await accounts.lockById(tx, id);
        if (account === undefined || !(await code.use(tx))) throw refuse('invalid_code');
        countOnCommit(deps, tx, 'reset');
        await accounts.updatePassword(tx, { accountId: id, passwordHash });
        const isCompleted = account.signup !== 'complete';
        if (isCompleted || !account.isEmailVerified) {
          await accounts.markEmailVerified(tx, id);
          tx.event(newEvent('account.verified', { UserId: id }, request));
        }
        // Others keep their name and language.
        const { DisplayName: displayName = account.displayName, Locale: locale = account.locale } = body;
        const changed = isCompleted ? differingNames(account, { displayName, locale }) : [];
        if (changed.length > 0) await accounts.setNames(tx, { accountId: id, displayName, locale });
        if (account.isNewPasswordRequired) changed.push('NewPasswordRequired');
        tx.event(...accountUpdated(id, changed, { changedBy: id, origin: request }));
        await accountCodes.deleteAll(tx, id);
        // With two-factor authentication, somebody who reads the mails could otherwise guess codes without limit.
        if (!account.isTwoFactorEnabled)
          await loginThrottle.clear(tx, { kind: 'email', emailKey: emailKey(account.email) });
        await mailNotice(deps, tx, account, 'account.password-changed', { Reason: 'reset' }, request);
        tx.audit('password.reset');
        const target = { kind: 'account', accountId: id, keepsGrants: body.KeepApps === true } as const;
        await tx.endSessions(target, 'password_reset');
      });
      return {};
    },
  }),

  route('POST /account/change-password', {
    operationId: 'changePassword',
    summary: 'Change your password',
    description:
      'Ends all other sessions of the account and invalidates all codes that were emailed to it. An account with a ' +
      'second factor also requires a code or a passkey, unless it was shown within the last five minutes. A wrong ' +
      'password or code counts as a failed login.',
    access: 'session',
    body: Type.Object({
      CurrentPassword: Password(),
      ...OwnerProofBody.properties,
      Password: Password(),
      KeepApps,
    }),
    response: Type.Object({}),
    errors: OWNER_PROOF_ERRORS,
    handler: async ({ body, caller, ...call }) => {
      const { deps, request, refuse } = call;
      const { accountId, sessionId } = caller;
      const shown = { ...readOwnerProof(body, caller, request), password: body.CurrentPassword };
      const { email = '' } = (await accounts.findById(deps.db, accountId)) ?? {};
      await requireFitPassword(deps, body.Password, email);
      const proof = await provePassword(call, shown);
      const passwordHash = await deps.passwords.from(request.addressGroup).hash(body.Password);
      // Invalidates what others may have obtained with the earlier one: sessions and unused codes.
      await write(deps, asOwner(accountId, request), async (tx) => {
        const account = await lockProved(tx, proof, refuse);
        await accounts.updatePassword(tx, { accountId, passwordHash });
        const changed = account.isNewPasswordRequired ? ['NewPasswordRequired'] : [];
        tx.event(...accountUpdated(accountId, changed, { changedBy: accountId, origin: request }));
        await userSessions.followPassword(tx, sessionId);
        await accountCodes.deleteAll(tx, accountId);
        await mailNotice(deps, tx, account, 'account.password-changed', { Reason: 'change' }, request);
        tx.audit('password.changed');
        const others = { accountId, exceptSessionId: sessionId, keepsGrants: body.KeepApps === true };
        await tx.endSessions({ kind: 'account', ...others }, 'password_changed');
      });
      return {};
    },
  }),
];

/** @throws {ApiError} that says why a chosen password is not accepted. */
export async function requireFitPassword(deps: Deps, password: string, email: string): Promise<void> {
  const fault = await describePasswordFault(deps, password, email);
  if (fault !== undefined) throw invalidPassword(fault);
}

async function tryCode(call: Call<'invalid_code' | 'too_many_requests'>, email: string, typed: string) {
  const account = await accounts.findByEmailKey(call.deps.db, emailKey(email));
  const code = await requireCode(call, { account, purpose: 'reset', typed });
  if (account === undefined) throw call.refuse('invalid_code');
  return { id: account.id, code };
}

/**
 * Checks the password and, unless it was shown recently, the second factor: whoever changes the password or the email
 * takes the account over.
 */
export async function provePassword(
  { deps, request, refuse }: Call<ProofError>,
  { code, passkey, ...shown }: OwnerProofInput & { password: string },
): Promise<Proved> {
  const account = await accounts.findById(deps.db, shown.accountId);
  if (account === undefined) throw proofError(refuse, { kind: 'unproven' });
  const byPassword = await proveOwner(deps, shown, request);
  const hasMore = code !== undefined || passkey !== undefined;
  const proof =
    byPassword.kind === 'unproven' && hasMore
      ? await proveOwner(deps, { ...shown, password: undefined, code, passkey }, request)
      : byPassword;
  return { ...proved(refuse, proof), account };
}

/** Locks the account and uses up the proof, unless the password has changed since, or another request used it first. */
export async function lockProved(
  tx: Transaction,
  { account, use }: Proved,
  refuse: Refuse<'wrong_password'>,
): Promise<Account> {
  const locked = await accounts.lockById(tx, account.id);
  if (locked?.passwordVersion !== account.passwordVersion || !(await use(tx))) throw refuse('wrong_password');
  return locked;
}
