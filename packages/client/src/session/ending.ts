import type { ReplacedBy } from '../api/api-types.ts';
import type { ClientErrorCode, GatehouseError } from '../api/gatehouse-error.ts';

export type EndingReason =
  'replaced' | 'deactivated' | 'expired' | 'invite_deleted' | 'logged-out' | 'account-expired';

/** Why a session is over. */
export interface Ending {
  reason: EndingReason;
  /** The login that replaced it, if it is known. */
  by?: ReplacedBy | undefined;
  /** The error code of the API, if it returned one. */
  code?: ClientErrorCode | undefined;
}

const REASONS: Partial<Record<ClientErrorCode, EndingReason>> = {
  session_replaced: 'replaced',
  session_deactivated: 'deactivated',
  session_expired: 'expired',
  session_ended: 'logged-out',
  invite_deleted: 'invite_deleted',
  // The installation no longer accepts the refresh token.
  token_invalid: 'expired',
  account_disabled: 'deactivated',
  account_expired: 'account-expired',
};

/** By a refused refresh; `undefined` if the session may still exist. With a login status there are no more tokens. */
export function endingOf(
  refusal: Pick<GatehouseError, 'status' | 'code' | 'loginStatus' | 'replacedBy'>,
): Ending | undefined {
  const { status, code, loginStatus, replacedBy } = refusal;
  if (status !== 401 && loginStatus === undefined) return undefined;
  const reason = REASONS[code] ?? (loginStatus === undefined ? undefined : 'deactivated');
  return reason && { reason, by: replacedBy, code };
}

/** Whether a 401 with this code may mean that the session is over. */
export function isEndedCode(code: string): boolean {
  return /^(session_|invite_)/.test(code);
}
