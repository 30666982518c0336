import type { SessionStatus } from '@gatehouse/schema';
import type { DeletedInvitation, Transaction } from '@gatehouse/db';
import type { BulkOrder } from '../../bulk-change.ts';
import type { SeenSession, SessionFilter } from './session-filter.ts';

/** What is changed: one session, the given active sessions, those of an account, or all that match a filter. */
export type ChangeTarget =
  | { kind: 'session'; sessionId: string }
  | { kind: 'named'; sessionIds: readonly string[] }
  | { kind: 'account'; accountId: string }
  | { kind: 'filter'; filter: SessionFilter };

/** The change that an administrator requests. The reason is in the administrator's words, for the history. */
export interface SessionChange extends BulkOrder {
  status: SessionStatus;
}

/** An invitation that was deleted (`DeletedInvite`) or restored (`PendingInvite`). */
export type ChangedInvitation = DeletedInvitation & { status: SessionStatus };

/**
 * `changed`: the newest `SHOWN_MAX` changed sessions and invitations, the ids of all, newest first, and the number of
 * their accounts. Otherwise, why nothing was changed.
 */
export type Changed =
  | {
      kind: 'changed';
      sessions: SeenSession[];
      invitations: ChangedInvitation[];
      ids: string[];
      count: number;
      accountCount: number;
    }
  | Refused;

/** A change that can be carried out in the transaction in which it was planned. */
export interface SessionPlan {
  kind: 'planned';
  sessions: readonly { id: string; accountId: string }[];
  invitations: readonly ChangedInvitation[];
  /** Ended sessions become active again. */
  isRevival: boolean;
  /** Returns all sessions whose cached copies must be written. */
  carryOut: (tx: Transaction) => Promise<readonly string[]>;
}

export type Refused = { [K in ChangeRefusal]: { kind: K } }[ChangeRefusal];

/**
 * `unknown`: there is no such session or account. `too_old`, `account_closed`: an ended session cannot be revived after
 * its absolute lifetime, or if its account could not log in. `revoked`: the same if the account no longer accepts the
 * credentials that opened it, or a copy of its refresh token was used. `not_invited`: a session cannot become an
 * invitation, and only a pending guest has invitations to restore. `inviter_gone`: the inviter may no longer invite.
 * `share_used_up`: the address has reached its hourly limit of invitations. `too_many`: more than `CHANGED_MAX`
 * sessions. `unproven`: many sessions, one of an administrator, or one that becomes active again.
 */
type ChangeRefusal =
  | 'unknown'
  | 'too_old'
  | 'revoked'
  | 'account_closed'
  | 'not_invited'
  | 'inviter_gone'
  | 'share_used_up'
  | 'too_many'
  | 'unproven';
