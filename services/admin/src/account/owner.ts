import { conditionOf, mailCodeForAdministrator, mailNotice, removeUnverified } from '@gatehouse/accounts';
import type { AccountsDeps, Origin, WriteTransaction } from '@gatehouse/accounts';
import { accounts, emailChanges, mailQuota, type ManagedAccount } from '@gatehouse/db';
import type { Refuse } from '@gatehouse/http';
import { Email, emailKey, LoginStatus, normalizeEmail, Optional, Type } from '@gatehouse/schema';
import { changeLockedAccount, refuseOwnAccount } from '../bulk-order.ts';
import { routeOf, type Deps } from '../deps.ts';
import { setEmail } from '../set-email.ts';

const route = routeOf({ tag: 'Accounts', access: ['Admin'] });

export const changeEmail = route('POST /admin/account/:id/change-email', {
  operationId: 'changeAccountEmail',
  summary: 'Change the email address of an account',
  description:
    'Sends a code to the new address, with which the owner confirms it; nothing changes until then. With `Force` it ' +
    'changes now, and codes that were mailed before become invalid. Both addresses get an email, and sessions remain active.',
  recent: { when: 'the account is an administrator’s, or with `Force`' },
  body: Type.Object({
    Email: Email(),
    Force: Optional.Boolean({
      description:
        'Changes it without a confirmation by the owner. `false` by default, which is 409 if the owner cannot log in',
    }),
  }),
  response: Type.Object({}),
  errors: [
    'not_found',
    'conflict',
    'own_account',
    'email_taken',
    'confirmation_required',
    'too_many_requests',
  ],
  handler: async (input) => {
    const { params, body, caller, deps, request, refuse } = input;
    const { id } = params;
    refuseOwnAccount(refuse, caller, id, 'Change your own email address on the account pages');
    const email = normalizeEmail(body.Email) ?? body.Email;
    const isForced = body.Force === true;
    const change = async (tx: WriteTransaction, account: ManagedAccount) => {
      const obstacle = obstacleToChange(account, email, isForced);
      if (obstacle !== undefined) throw refuse('conflict', obstacle);
      const { traceId } = request;
      const removed = isForced ? await removeUnverified(tx, email, { traceId, exceptId: id }) : {};
      const owner = await accounts.findByEmailKey(tx, emailKey(email));
      if (owner !== undefined && owner.id !== id) throw refuse('email_taken');
      if (!isForced) return requestConfirmation(tx, account, email, { deps, request, refuse });
      // An address that nobody has verified still has to be: whoever registered it may not be the owner.
      const isSet = await setEmail(deps, tx, account, { email, verifies: false }, request);
      if (!isSet) throw refuse('email_taken');
      // An earlier link may be that of whoever broke into the mailbox.
      await emailChanges.deleteAll(tx, id);
      tx.audit('email.changed', removed);
    };
    await changeLockedAccount(input, change, ({ role }) => isForced || role === 'Admin');
    return {};
  },
});

function obstacleToChange(account: ManagedAccount, email: string, isForced: boolean): string | undefined {
  if (account.email === email) return 'The account has this email already';
  if (account.signup === 'invitation')
    return 'The guest has not accepted the invitation yet: invite the new address';
  if (!isForced && conditionOf(account) !== undefined)
    return 'The owner cannot log in now, and so cannot confirm the new address';
  return undefined;
}

/** Mails the new address a code with which its owner confirms it, as if they had requested it, and tells the former. */
async function requestConfirmation(
  tx: WriteTransaction,
  account: ManagedAccount,
  email: string,
  { deps, request, refuse }: { deps: Deps; request: Origin; refuse: Refuse<'too_many_requests'> },
): Promise<void> {
  const { MAILS_PER_HOUR } = deps.settings;
  const limit = 'Hourly limit of codes for this account or address reached';
  if (!(await mailQuota.takeForAddress(tx, emailKey(email), 'email-change-code', MAILS_PER_HOUR)))
    throw refuse('too_many_requests', limit, { retryAfterSeconds: 3600 });
  const throttled = await mailCodeForAdministrator(deps, tx, { ...account, email }, 'change-email', request);
  if (throttled !== undefined) throw refuse('too_many_requests', limit, throttled);
  const { traceId } = request;
  await mailNotice(deps, tx, account, 'account.email-change-announced', {}, { traceId });
  tx.audit('email.change-requested');
}

const mailing = {
  recent: { when: 'the account is an administrator’s' },
  response: Type.Object({}),
  errors: ['not_found', 'conflict', 'confirmation_required', 'too_many_requests'],
} as const;

export const inviteAccount = route('POST /admin/account/:id/invite', {
  ...mailing,
  operationId: 'inviteAccount',
  summary: 'Send the owner a link that completes the account',
  description:
    'For accounts that wait for their owner (`LoginStatus` 5 and 6). The link works for seven days and invalidates the ' +
    'previous one. At most `MAILS_PER_HOUR` such emails are sent to an account in an hour; beyond that the request ' +
    'fails with 429.',
  handler: async (input) => {
    const { deps, request, refuse } = input;
    await changeLockedAccount(input, async (tx, account) => {
      if (!isInvitable(account)) throw refuse('conflict', 'The account is not waiting for its owner');
      const throttled = await mailInvitation(deps, tx, account, request);
      if (throttled !== undefined)
        throw refuse('too_many_requests', 'Hourly limit of invitations for this account reached', throttled);
    });
    return {};
  },
});

/** Whether the account waits for its owner, and could be used once they have chosen a password. */
export function isInvitable(account: ManagedAccount): boolean {
  const isWaiting = account.signup === 'new' || account.signup === 'migration';
  return isWaiting && !account.isDisabled && !account.isExpired;
}

/** Mails the owner of a locked account a link that completes it. Returns the wait if its hourly limit is reached. */
export async function mailInvitation(
  deps: AccountsDeps,
  tx: WriteTransaction,
  account: ManagedAccount,
  origin: Origin,
): Promise<{ retryAfterSeconds: number } | undefined> {
  const throttled = await mailCodeForAdministrator(deps, tx, account, 'complete', origin);
  if (throttled === undefined) tx.audit('account.invited', undefined, account.id);
  return throttled;
}

export const resetPassword = route('POST /admin/account/:id/reset-password', {
  ...mailing,
  operationId: 'startPasswordReset',
  summary: 'Send a password reset code to the owner',
  description:
    'Same as a reset requested by the owner, but with a separate quota (`MAILS_PER_HOUR`, 429 beyond it). ' +
    'The current password remains valid until the reset; set `NewPasswordRequired` to prevent its use. ' +
    'Returns 409 if the account could not log in even with a new password.',
  handler: async (input) => {
    const { deps, request, refuse } = input;
    await changeLockedAccount(input, async (tx, account) => {
      const condition = conditionOf(account);
      const obstacle = condition && OBSTACLES[condition];
      if (obstacle !== undefined) throw refuse('conflict', obstacle);
      // The code also completes an account that waits for its owner.
      const throttled = await mailCodeForAdministrator(deps, tx, account, 'reset', request);
      if (throttled !== undefined)
        throw refuse('too_many_requests', 'Hourly limit of reset codes for this account reached', throttled);
      tx.audit('account.reset-started');
    });
    return {};
  },
});

/** Why a new password would not make the account usable. */
const OBSTACLES: { [S in LoginStatus]?: string } = {
  [LoginStatus.IsDisabled]: 'The account is disabled',
  [LoginStatus.IsExpired]: 'The account has expired',
  [LoginStatus.IsPendingInvitation]: 'The account is waiting for its guest to accept the invitation',
};
