import { hashInvitationToken, newInvitationToken } from '@gatehouse/auth-core';
import { emailKey } from '@gatehouse/schema';
import {
  accountCodes,
  accounts,
  BY_MAIL_CODE,
  guestAccounts,
  sessionCodes,
  invitations,
  loginThrottle,
} from '@gatehouse/db';
import type { Transaction } from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import { describePasswordFault, type PasswordRefusal } from '../checks/credentials.ts';
import { accountUpdated, differingNames } from '../account/admin/account-updated.ts';
import { countOnCommit } from '../checks/count-on-commit.ts';
import type { AccountsDeps, OpeningDeps, Origin, SessionDeps, ThrottleDeps } from '../deps.ts';
import { allowsEmailLogin, requiresSecondFactor } from '../checks/login-status.ts';
import { write } from '../session/write.ts';
import { CODE_SECONDS, exchangeCode } from '../handover/session-code.ts';
import type { CodeExchange, PresentedForSession } from '../handover/session-code.ts';
import { openSession } from '../session/open-and-end.ts';

type Deps = SessionDeps & Pick<AccountsDeps, 'passwords' | 'mutex'>;

/** What a guest chose. Without a name or language, the account keeps the one it has. */
type Given = Partial<Record<'password' | 'displayName' | 'locale', string | undefined>>;

/**
 * `invalid`: wrong, used, expired or no longer valid; the caller is not told which. `password_required`: guests cannot
 * log in without one. `loginCode` opens the first session without a password, unless a second factor is required.
 */
export type Acceptance =
  | { kind: 'accepted'; accountId: string; contentDefinitionId: string; loginCode: string | undefined }
  | { kind: 'invalid' }
  | { kind: 'password_required' }
  | { kind: 'unfit_password'; fault: PasswordRefusal };

/**
 * Completes a guest's account with the mailed link, which proves the email: earlier passwords, codes and sessions
 * become invalid, and other acceptable invitations access. Of concurrent attempts one succeeds: the account's lock
 * serialises them, and a conditional statement uses up the token.
 */
export async function acceptInvitation(deps: Deps, given: Given & { token: string }, origin: Origin) {
  const tokenHash = hashInvitationToken(given.token);
  return deps.mutex(`invitation ${tokenHash.toString('hex')}`, () =>
    accept(deps, { ...given, tokenHash }, origin),
  );
}

async function accept(deps: Deps, given: Given & { tokenHash: Buffer }, origin: Origin): Promise<Acceptance> {
  const { tokenHash, password, displayName, locale } = given;
  if (password === undefined && deps.settings.EMAIL_LOGIN === 'off') return { kind: 'password_required' };
  const found = await invitations.findByToken(deps.db, tokenHash);
  const invited = found && (await accounts.findById(deps.db, found.accountId));
  if (found === undefined || invited === undefined) return { kind: 'invalid' };
  const fault =
    password === undefined ? undefined : await describePasswordFault(deps, password, invited.email);
  if (fault !== undefined) return { kind: 'unfit_password', fault };
  const hasher = deps.passwords.from(origin.addressGroup);
  const passwordHash = password === undefined ? undefined : await hasher.hash(password);

  const guest = { kind: 'Account', id: invited.id } as const;
  const accepted = await write(deps, { actor: guest, target: guest, origin }, async (tx) => {
    const account = await accounts.lockById(tx, invited.id);
    const isWaiting = account?.signup === 'invitation' && !account.isDisabled && !account.isExpired;
    if (!isWaiting || !(await invitations.accept(tx, tokenHash, account.id))) return undefined;
    await invitations.acceptOthers(tx, account.id);
    await invitations.grantAccepted(tx, account.id);
    countOnCommit(deps, tx, 'invitation.accepted');
    await guestAccounts.complete(tx, { accountId: account.id, passwordHash, displayName, locale });
    await accountCodes.deleteAll(tx, account.id);
    await loginThrottle.clear(tx, { kind: 'email', emailKey: emailKey(account.email) });
    const changed = [
      ...differingNames(account, {
        displayName: displayName ?? account.displayName,
        locale: locale ?? account.locale,
      }),
      ...(account.isNewPasswordRequired ? ['NewPasswordRequired'] : []),
    ];
    tx.event(newEvent('guest.registered', { UserId: account.id }, origin));
    tx.event(...accountUpdated(account.id, changed, { changedBy: account.id, origin }));
    tx.audit('guest.registered');
    await tx.endSessions({ kind: 'account', accountId: account.id }, 'invitation_accepted', {
      changedBy: undefined,
    });
    const opensAtOnce = password === undefined && !requiresSecondFactor(account);
    return { loginCode: opensAtOnce ? await newGuestLogin(tx, account.id) : undefined };
  });
  if (accepted === undefined) return { kind: 'invalid' };
  const { contentDefinitionId } = found;
  return { kind: 'accepted', accountId: invited.id, contentDefinitionId, ...accepted };
}

/** Distinguishes these codes from those that hand over a session. */
const PREFIX = 'gst_';

export function isGuestLoginCode(code: string): boolean {
  return code.startsWith(PREFIX);
}

/** The code with which such a guest opens a session, once and within a minute: this service opens none itself. */
async function newGuestLogin(tx: Transaction, accountId: string): Promise<string> {
  const code = newInvitationToken();
  const codeHash = hashInvitationToken(code);
  await sessionCodes.insertForGuest(tx, { codeHash, accountId, lifetimeSeconds: CODE_SECONDS });
  return PREFIX + code;
}

/** Opens the session of such a guest for the browser that presents the code, or only says whose session it would be. */
export async function takeGuestLogin(
  deps: OpeningDeps & ThrottleDeps,
  presented: PresentedForSession,
  { traceId, dueAt, address, userAgent }: Origin,
): Promise<CodeExchange> {
  return exchangeCode(
    deps,
    { ...presented, code: presented.code.slice(PREFIX.length) },
    {
      find: async (codeHash) => {
        const login = await sessionCodes.findForGuest(deps.db, codeHash);
        if (login === undefined) return undefined;
        const account = await accounts.findById(deps.db, login.accountId);
        const isAdmitted = account?.role === 'Guest' && allowsEmailLogin(deps.settings, account);
        return { accountId: login.accountId, account, isValid: login.isValid && isAdmitted };
      },
      open: async ({ accountId, account }, codeHash) => {
        if (account === undefined) return undefined;
        const use = async (tx: Transaction): Promise<boolean> => {
          // Read under the lock: the invitation proves the mailbox only, and to nobody but the guest.
          const now = await accounts.findById(tx, accountId);
          const isAdmitted =
            now?.role === 'Guest' && now.passwordScheme === null && !requiresSecondFactor(now);
          return isAdmitted && (await sessionCodes.useForGuest(tx, codeHash));
        };
        const by = { traceId, dueAt, address, userAgent, authentication: BY_MAIL_CODE };
        const opening = await openSession(deps, account, by, use);
        if (opening.kind === 'exists') return opening;
        return opening.kind === 'opened' ? { accountId, sessionId: opening.sessionId } : undefined;
      },
    },
  );
}
