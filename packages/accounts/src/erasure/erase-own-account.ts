import { accounts, contentDefinitions, inTransaction } from '@gatehouse/db';
import type { AccountsDeps, LoginDeps, MailDeps, Origin } from '../deps.ts';
import type { Throttled } from '../checks/attempts.ts';
import { checkCode } from '../checks/code-check.ts';
import { mailCode } from '../checks/mailing.ts';
import { proveOwner, type OwnerProof, type OwnerProofInput } from '../passkey/prove-owner.ts';
import { scheduleErasure, type ScheduleErasureResult } from './schedule-erasure.ts';

type Deps = LoginDeps & MailDeps;

/**
 * The result of the first step; also `mailed` if the limit of such mails is reached, as an earlier code still works.
 */
export type BeginErasureResult =
  { kind: 'mailed' | 'owns_content' | 'service' } | Exclude<OwnerProof, { kind: 'proved' }>;

/** Mails a code that confirms the request for erasure, after the owner has proved their identity. */
export async function beginErasure(
  deps: Deps,
  shows: OwnerProofInput,
  origin: Origin,
): Promise<BeginErasureResult> {
  const proof = await proveOwner(deps, shows, origin);
  if (proof.kind !== 'proved') return proof;
  const begun = await inTransaction<BeginErasureResult>(deps.db, origin, async (tx, rollBack) => {
    const account = await accounts.lockById(tx, shows.accountId);
    const isSame = account?.passwordVersion === proof.account.passwordVersion;
    if (account === undefined || !isSame || !(await proof.use(tx))) return rollBack({ kind: 'unproven' });
    // A program does not read mails: its operators erase the account.
    if (account.isService) return rollBack({ kind: 'service' });
    if (await contentDefinitions.isOwner(tx, account.id)) return rollBack({ kind: 'owns_content' });
    await mailCode(deps, tx, account, 'erase', origin);
    return { kind: 'mailed' };
  });
  deps.relay.wake();
  return begun;
}

/** Schedules the erasure of an account with the code that its owner was mailed. */
export async function confirmErasure(
  deps: Deps & Pick<AccountsDeps, 'codes'>,
  own: { accountId: string; typed: string; addressGroup: string },
  origin: Origin,
): Promise<ScheduleErasureResult | Throttled> {
  const { accountId, typed, addressGroup } = own;
  const account = await accounts.findById(deps.db, accountId);
  const code = await checkCode(deps, { account, purpose: 'erase', typed, addressGroup });
  if (code.kind === 'throttled') return code;
  if (code.kind === 'failed') return { kind: 'used' };
  const actor = { kind: 'Account', id: accountId } as const;
  return scheduleErasure(deps, { accountId, actor, codeId: code.id }, origin);
}
