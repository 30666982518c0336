import type { SessionStatus } from '@gatehouse/schema';
import type { Actor, DeletedInvitation } from '@gatehouse/db';
import type { SeenSession, SessionFilter } from './session-filter.ts';

/** Whose status is changed: a session's, that of active sessions which are named or a user's, or of all that fit. */
export type ChangeTarget =
  | { kind: 'session'; sessionId: string }
  | { kind: 'named'; sessionIds: readonly string[] }
  | { kind: 'account'; accountId: string }
  | { kind: 'filter'; filter: SessionFilter };

/** What an administrator asks for. */
export interface SessionChange {
  status: SessionStatus;
  /** The administrator's own words, for the history. */
  reason: string | undefined;
  by: Actor;
  /** Does everything, says what it did, and undoes it. */
  isTrial: boolean;
  /** How many it may change; more is refused as `unconfirmed`. */
  countMax?: number | undefined;
}

/** An invitation that was deleted (`DeletedInvite`) or restored (`PendingInvite`). */
export type ChangedInvitation = DeletedInvitation & { status: SessionStatus };

/** What was changed: the newest `SHOWN_MAX` of it, the ids of all, newest first, and of how many accounts; else why nothing was. */
export type Changed =
  | {
      kind: 'changed';
      sessions: SeenSession[];
      invitations: ChangedInvitation[];
      ids: string[];
      accountCount: number;
    }
  | Refused;

/** What a transaction did. `touchedIds`: every session whose cached copy is to be written. */
export interface Done {
  kind: 'done';
  sessionIds: readonly string[];
  touchedIds: readonly string[];
  invitations: readonly ChangedInvitation[];
}

export interface Refused {
  kind: 'refused';
  reason: ChangeRefusal;
}

/**
 * `unknown`: there is no such session or account. `too_old`, `account_closed`: an ended session cannot be made active
 * again after its absolute lifetime, or when its account could not log in. `revoked`: nor when what it was opened with no
 * longer opens the account, or a copy of its refresh token was used. `not_invited`: a session cannot become an
 * invitation, and only a pending guest has one to restore. `inviter_gone`: the inviter may no longer invite.
 * `share_used_up`: the address has reached its hourly limit of invitations. `too_many`: more than `CHANGED_MAX`
 * sessions. `unconfirmed`: more than the change's `countMax`.
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
  | 'unconfirmed';

/** What one call changes at most, so that it ends within a request's time. */
export const CHANGED_MAX = 5000;
/** How many of them are shown. */
export const SHOWN_MAX = 200;
