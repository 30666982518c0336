import { isDeepStrictEqual } from 'node:util';
import type { EndReason } from '@gatehouse/schema';
import { accountGroups, administrators } from '@gatehouse/db';
import type { Account, AccountChange, Executor, ManagedAccount } from '@gatehouse/db';
import { newEvent, type AnyEvent } from '@gatehouse/events';
import { accountUpdated } from './account-updated.ts';
import type { By } from './create-account.ts';

export interface Changing {
  before: ManagedAccount;
  after: ManagedAccount;
}

/** The events of a change: disabling and enabling have separate events, other changes are listed by field name. */
export function eventsOf(account: ManagedAccount, changed: readonly string[], { actor, origin }: By) {
  const changedBy = actor.kind === 'Account' ? actor.id : undefined;
  const eventData = { UserId: account.id, ...(changedBy !== undefined && { ChangedBy: changedBy }) };
  const isToggled = changed.includes('IsDisabled');
  const others = changed.filter((name) => !(isToggled && BAN_FIELDS.includes(name)));
  const role = others.includes('Role') && { role: account.role };
  return [
    ...accountUpdated(account.id, others, { changedBy, origin, ...role }),
    ...(isToggled ? [toggled(account, eventData, origin)] : []),
  ];
}

const BAN_FIELDS = ['IsDisabled', 'DisabledUntil', 'DisabledReason', 'TellReason'];

function toggled(
  { isDisabled, disabledUntil }: ManagedAccount,
  data: { UserId: string; ChangedBy?: string },
  origin: By['origin'],
): AnyEvent {
  if (!isDisabled) return newEvent('account.enabled', data, origin);
  const end = disabledUntil === null ? {} : { DisabledUntil: disabledUntil.toISOString() };
  return newEvent('account.disabled', { ...data, ...end }, origin);
}

export function canRemoveAdministrators({ isDisabled, expiresAt, role }: AccountChange): boolean {
  return isDisabled === true || (expiresAt ?? undefined) !== undefined || role === 'User';
}

export function conflictOf(account: ManagedAccount, change: AccountChange): string | undefined {
  const { role, isNewPasswordRequired } = change;
  const opens = change.isDisabled === false || (change.disabledUntil ?? undefined) !== undefined;
  if (opens && account.erasesAt !== null)
    return 'The account is to be erased, which would have to be taken back first';
  if (role === 'Guest' && account.role !== 'Guest') return 'Guest accounts are created only by invitation';
  const isPromoted = role !== undefined && role !== account.role;
  if (isPromoted && account.signup === 'invitation') return 'The guest has not accepted the invitation yet';
  if (isNewPasswordRequired === true && account.passwordScheme === null) return 'The account has no password';
  return serviceConflictOf(account, change);
}

/** The rules of service accounts, which the table also enforces. */
function serviceConflictOf(account: Account, change: AccountChange): string | undefined {
  if (!(change.isService ?? account.isService)) return undefined;
  if ((change.role ?? account.role) !== 'User') return 'Service accounts have the role User';
  if (change.isTwoFactorRequired ?? account.isTwoFactorRequired)
    return 'Two-factor authentication cannot be required for service accounts';
  const { signup, isEmailVerified, passwordScheme } = account;
  const isComplete = signup === 'complete' && isEmailVerified && passwordScheme !== null;
  return isComplete || account.isService
    ? undefined
    : 'The account is not complete: nobody could log in to it';
}

/** Whether it needs a fresh proof: it is about an administrator, or makes the account easier to enter or stronger. */
export function needsProof({ before, after }: Changing): boolean {
  const isLifted = (holds: (account: ManagedAccount) => boolean) => holds(before) && !holds(after);
  return (
    before.role === 'Admin' ||
    before.role !== after.role ||
    before.isService !== after.isService ||
    ownGroups(after).some((group) => !ownGroups(before).includes(group)) ||
    isLifted(({ isDisabled }) => isDisabled) ||
    (before.isDisabled && (after.disabledUntil ?? NEVER) < (before.disabledUntil ?? NEVER)) ||
    isLifted(({ isTwoFactorRequired }) => isTwoFactorRequired) ||
    isLifted(({ isNewPasswordRequired }) => isNewPasswordRequired) ||
    (before.expiresAt ?? NEVER) < (after.expiresAt ?? NEVER)
  );
}

const NEVER = new Date(8.64e15);

/** Whether no administrator who can log in would remain, or none whose account does not expire. */
export async function takesLastAdministrator(executor: Executor, changes: readonly Changing[]) {
  const taken = lostAdministrators(changes);
  if (taken.enabled.length === 0 && taken.lasting.length === 0) return false;
  const others = await administrators.findOthers(executor, taken);
  return (
    (taken.enabled.length > 0 && !others.isAnyEnabled) || (taken.lasting.length > 0 && !others.isAnyLasting)
  );
}

/** Which of these accounts lose the ability to administer: now (`enabled`), or without an expiry (`lasting`). */
function lostAdministrators(changes: readonly Changing[]): { enabled: string[]; lasting: string[] } {
  const losing = (can: (account: ManagedAccount) => boolean) =>
    changes.filter(({ before, after }) => can(before) && !can(after)).map(({ before }) => before.id);
  return {
    enabled: losing(isEnabledAdmin),
    lasting: losing((one) => isEnabledAdmin(one) && one.expiresAt === null),
  };
}

function isEnabledAdmin({ role, isDisabled, isExpired, signup, isEmailVerified }: Account): boolean {
  return role === 'Admin' && !isDisabled && !isExpired && signup === 'complete' && isEmailVerified;
}

/** The new values of changed fields by the API's names; of texts, maybe personal data, only that they changed. */
export function differences(before: ManagedAccount, after: ManagedAccount): Record<string, unknown> {
  const facts = (account: ManagedAccount) => ({
    IsDisabled: account.isDisabled,
    DisabledUntil: account.disabledUntil?.toISOString() ?? null,
    TellReason: account.tellsReason,
    ExpiresAt: account.expiresAt?.toISOString() ?? null,
    Role: account.role,
    IsService: account.isService,
    TwoFactorRequired: account.isTwoFactorRequired,
    NewPasswordRequired: account.isNewPasswordRequired,
    SessionLimit: account.sessionLimit,
    Locale: account.locale,
    Groups: ownGroups(account),
  });
  const earlier = new Map<string, unknown>(Object.entries(facts(before)));
  const changed = Object.entries(facts(after)).filter(
    ([name, value]) => !isDeepStrictEqual(earlier.get(name), value),
  );
  const isToggled = before.isDisabled !== after.isDisabled;
  return {
    ...Object.fromEntries(changed),
    ...(before.displayName !== after.displayName && { DisplayName: 'changed' }),
    ...(!isToggled && before.disabledReason !== after.disabledReason && { DisabledReason: 'changed' }),
  };
}

/** The labels that administrators give: only these can be changed by them. */
function ownGroups({ groupSources }: ManagedAccount): string[] {
  const own = groupSources.filter(({ source }) => source === accountGroups.ADMINISTRATOR);
  return own.map(({ label }) => label).toSorted();
}

/** Why the account's sessions must end; `undefined` if they may continue. */
export function endReasonOf(before: ManagedAccount, after: ManagedAccount): EndReason | undefined {
  const begins = (holds: (account: ManagedAccount) => boolean) => holds(after) && !holds(before);
  if (begins(({ isDisabled }) => isDisabled)) return 'account_disabled';
  // An account that has already expired may have sessions that are not recorded as ended: they must not become valid
  // again.
  if (before.isExpired || after.isExpired) return 'account_expired';
  if (begins(({ isNewPasswordRequired }) => isNewPasswordRequired)) return 'new_password_required';
  if (begins(({ isTwoFactorRequired }) => isTwoFactorRequired) && !after.isTwoFactorEnabled)
    return 'two_factor_required';
  // A guest's session has shared access; the next login opens one with full access. A person must not continue a
  // program's session, or a program a person's; and programs may have several sessions, where a person may have only
  // one.
  return begins(({ role }) => role !== 'Guest') || before.isService !== after.isService
    ? 'role_changed'
    : undefined;
}
