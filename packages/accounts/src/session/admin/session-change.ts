import type { SessionStatus } from '@gatehouse/schema';
import type { Actor, DeletedInvitation } from '@gatehouse/db';
import type { SeenSession, SessionFilter } from './session-filter.ts';

/** What is changed: one session, the given active sessions, those of an account, or all that match a filter. */
export type ChangeTarget =
  | { kind: 'session'; sessionId: string }
  | { kind: 'named'; sessionIds: readonly string[] }
  | { kind: 'account'; accountId: string }
  | { kind: 'filter'; filter: SessionFilter };

/** The change that an administrator requests. */
export interface SessionChange {
  status: SessionStatus;
  /** The reason in the administrator's words, for the history. */
  reason: string | undefined;
  by: Actor;
  /** Makes all changes, reports them, and rolls them back. */
  isTrial: boolean;
  /** Whether the administrator lacks a fresh proof of identity; then what requires one is refused as `unproven`. */
  isUnproven?: boolean;
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
      accountCount: number;
    }
  | Refused;

/** The changes of a transaction. `touchedIds`: all sessions whose cached copies must be written. */
export interface Done {
  kind: 'done';
  sessionIds: readonly string[];
  touchedIds: readonly string[];
  invitations: readonly ChangedInvitation[];
  /** Ended sessions have become active again. */
  isRevival?: boolean;
}

export interface Refused {
  kind: 'refused';
  reason: ChangeRefusal;
}

/**
 * `unknown`: there is no such session or account. `too_old`, `account_closed`: an ended session cannot be revived after
 * its absolute lifetime, or if its account could not log in. `revoked`: the same if the account no longer accepts the
 * credentials that opened it, or a copy of its refresh token was used. `not_invited`: a session cannot become an
 * invitation, and only a pending guest has invitations to restore. `inviter_gone`: the inviter may no longer invite.
 * `share_used_up`: the address has reached its hourly limit of invitations. `too_many`: more than `CHANGED_MAX`
 * sessions. `unproven`: more than `UNPROVEN_MAX`, one of an administrator, or one that becomes active again.
 */
export type ChangeRefusal =
  | 'unknown'
  | 'too_old'
  | 'revoked'
  | 'account_closed'
  | 'not_invited'
  | 'inviter_gone'
  | 'share_used_up'
  | 'too_many'
  | 'unproven';

/** The maximum per call, so that it finishes within a request's time. */
export const CHANGED_MAX = 5000;
/** How many of the changed sessions are returned in full. */
export const SHOWN_MAX = 200;
