import { accounts, sessionConfirmations, type Account, type Executor } from '@gatehouse/db';
import { credentialNameOf, isHandedOver, type Credential } from '@gatehouse/auth-core';
import { usesSecondFactor } from '../checks/login-status.ts';

const FRESH_SECONDS = 300;

/** A session, and the credential (`credentialNameOf`) by which the request belongs to it. */
export interface PresentedSession {
  sessionId: string;
  credential: string;
  /** Whether the browser took the session over from an app: then its login proves nothing about the browser's user. */
  isHandedOver?: boolean | undefined;
}

export function ownSession(caller: { accountId: string; sessionId: string } & Credential) {
  const { accountId, sessionId } = caller;
  return { accountId, sessionId, credential: credentialNameOf(caller), isHandedOver: isHandedOver(caller) };
}

/**
 * Whether the owner of a session has proved their identity within the last five minutes, at its login or in a later
 * confirmation with the same credential: with a second factor, if one protects the account. What was proved for an
 * application does not count: any application can ask for that. A session that has ended proves nothing.
 */
export async function provesFreshly(
  executor: Executor,
  session: PresentedSession,
  account: Parameters<typeof usesSecondFactor>[0],
): Promise<boolean> {
  return sessionConfirmations.isFresh(executor, session, {
    seconds: FRESH_SECONDS,
    needsSecondFactor: usesSecondFactor(account),
    isConfirmationOnly: session.isHandedOver === true,
  });
}

/**
 * Whether a caller may do what requires a fresh proof. Programs with an access token are not asked, as they can prove
 * nothing again; but a token of a single sign-on may come from a browser that the provider had signed on long before.
 */
export async function isConfirmed(
  executor: Executor,
  caller: { accountId: string; sessionId: string } & Credential,
): Promise<boolean> {
  const { accountId, sessionId } = caller;
  if (caller.via === 'bearer' && !(await sessionConfirmations.isBySignOn(executor, sessionId))) return true;
  const account: Account | undefined = await accounts.findById(executor, accountId);
  return account !== undefined && provesFreshly(executor, ownSession(caller), account);
}
