import { accounts, inTransaction, sessionConfirmations, type Transaction } from '@gatehouse/db';
import type { AccountsDeps, NoticeDeps, Origin, PasskeyDeps, PasswordDeps } from '../deps.ts';
import { withThrottle, type CheckResult, type Throttled } from '../login/attempts.ts';
import { checkPassword } from '../login/credentials.ts';
import { checkAssertion, reportClone, type ShownAssertion } from '../passkey/check-assertion.ts';

/** How a confirmation ended. */
export type SessionConfirmation =
  { kind: 'confirmed' } | { kind: 'wrong_password' } | { kind: 'wrong_passkey' } | Throttled;

/** What an owner shows again: the password, or a passkey's signature. */
export type ShownAgain = { password: string } | { passkey: ShownAssertion };

type Deps = PasswordDeps & PasskeyDeps & NoticeDeps & Pick<AccountsDeps, 'relay'>;

interface OwnSession {
  accountId: string;
  sessionId: string;
  addressGroup: string;
}

/** Notes for a session that its owner has just shown again who they are, which dangerous actions ask for. */
export async function confirmSession(
  deps: Deps,
  own: OwnSession & ShownAgain,
  origin: Origin,
): Promise<SessionConfirmation> {
  return 'password' in own ? confirmWithPassword(deps, own, origin) : confirmWithPasskey(deps, own, origin);
}

async function confirmWithPassword(
  deps: Deps,
  { accountId, sessionId, password, addressGroup }: OwnSession & { password: string },
  origin: Origin,
): Promise<SessionConfirmation> {
  const account = await accounts.findById(deps.db, accountId);
  const checked = await checkPassword(deps, { userName: account?.email ?? '', password, addressGroup });
  if (checked.kind === 'throttled') return checked;
  if (checked.kind !== 'right' || checked.account.id !== accountId) return { kind: 'wrong_password' };
  await inTransaction(deps.db, origin, (tx) => sessionConfirmations.note(tx, sessionId));
  return { kind: 'confirmed' };
}

async function confirmWithPasskey(
  deps: Deps,
  { accountId, sessionId, passkey, addressGroup }: OwnSession & { passkey: ShownAssertion },
  origin: Origin,
): Promise<SessionConfirmation> {
  const counted = { by: 'address', addressGroup } as const;
  const checked = await withThrottle(deps, counted, async (): Promise<CheckResult<SessionConfirmation>> => {
    const assertion = await checkAssertion(deps, 'confirm', passkey);
    if (assertion.kind === 'cloned') await reportClone(deps, assertion, origin);
    if (assertion.kind !== 'right' || assertion.accountId !== accountId) return WRONG_PASSKEY;
    const isNoted = await inTransaction(deps.db, origin, (tx) => note(tx, sessionId, assertion.use));
    return isNoted ? { counts: 'succeeded', outcome: { kind: 'confirmed' } } : WRONG_PASSKEY;
  });
  return checked.outcome;
}

const WRONG_PASSKEY: CheckResult<SessionConfirmation> = {
  counts: 'failed',
  outcome: { kind: 'wrong_passkey' },
};

async function note(
  tx: Transaction,
  sessionId: string,
  use: (tx: Transaction) => Promise<boolean>,
): Promise<boolean> {
  if (!(await use(tx))) return false;
  await sessionConfirmations.note(tx, sessionId);
  return true;
}
