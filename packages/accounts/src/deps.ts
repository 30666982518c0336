import type {
  BrowserSessions,
  BrowserSite,
  ClientSecrets,
  CodeHasher,
  Passkeys,
  Passwords,
  RefreshTokens,
  StaticTokens,
  Tokens,
} from '@gatehouse/auth-core';
import type { SessionCache } from '@gatehouse/redis';
import type { ClientSession, Db, OAuthClientWithSecrets, Relay, WorkWatch } from '@gatehouse/db';
import type { Seal } from '@gatehouse/events';
import type { Deadline, KeyedMutex, Limiter, Log, RecentReads, SecretBox } from '@gatehouse/runtime';
import type { AddressLimits } from './checks/address-limits.ts';
import type { AccountSettings } from './settings/account-settings.ts';
import type { FindReplacement, RotateClientSession, RotateSession } from './session/refresh/rotations.ts';
import type { SessionFeed } from './session/session-feed.ts';
import type { SignInRecorder } from './sign-in/sign-in-recorder.ts';
import type { ActivityRecorder } from './statistics/activity-recorder.ts';

export interface AccountsDeps extends AddressLimits {
  db: Db;
  sessionCache: SessionCache;
  tokens: Tokens;
  refreshTokens: RefreshTokens;
  /** Uses a refresh token, in a batch with others that arrive at the same time. */
  rotate: RotateSession;
  /** The refresh tokens of OAuth clients, which are none of sessions. */
  clientRefreshTokens: RefreshTokens;
  rotateClient: RotateClientSession;
  findReplacement: FindReplacement;
  staticTokens: StaticTokens;
  /** Browser sessions, and the sites whose cookies this service accepts. */
  browser: { sessions: BrowserSessions; sites: readonly BrowserSite[] };
  /** Nothing is hashed but on behalf of somebody (`from`). */
  passwords: Pick<Passwords, 'from' | 'check' | 'isRenewable' | 'slowCost' | 'adoptedAtOnce'>;
  codes: CodeHasher;
  /** Encrypts the secrets of authenticator apps, each bound to its account. */
  totpSecrets: SecretBox;
  recoveryCodes: CodeHasher;
  clientSecrets: ClientSecrets;
  /** Reads a client with its secrets, as it was less than a second ago. */
  readClient: RecentReads<OAuthClientWithSecrets | undefined>;
  /** Reads a client session that its client lets in (`clientSessions.findLetIn`), as it was less than a second ago. */
  readClientSession: RecentReads<ClientSession | undefined>;
  /** Checks passkeys; `undefined` if the URL of the pages does not allow any. */
  passkeys: Passkeys | undefined;
  seal: Seal;
  exportTurns: Limiter;
  /** Lets concurrent requests with the same link hash only one password at a time, instead of filling the queue. */
  mutex: KeyedMutex;
  /** Publishes the outbox to the broker; woken after a commit, and wakes `sessionFeed`. */
  relay: Relay;
  work: WorkWatch;
  sessionFeed: SessionFeed;
  activity: ActivityRecorder;
  signIns: SignInRecorder;
  /** The current time, in milliseconds since the epoch; decisions about expiry use the database's clock instead. */
  now: () => number;
  settings: AccountSettings;
  slots: SessionSlots;
  log: Log;
}

export type ThrottleDeps = Pick<AccountsDeps, 'db' | 'failures' | 'settings'>;
export type PasswordDeps = ThrottleDeps & Pick<AccountsDeps, 'passwords' | 'codes'>;
/** For mailing notices to owners and guests, in the caller's transaction. */
export type NoticeDeps = Pick<AccountsDeps, 'seal' | 'settings' | 'activity'>;
export type MailDeps = NoticeDeps & Pick<AccountsDeps, 'codes'>;
export type SessionDeps = Pick<AccountsDeps, 'db' | 'sessionCache' | 'relay' | 'settings' | 'activity'>;
export type OpeningDeps = SessionDeps &
  NoticeDeps &
  Pick<AccountsDeps, 'tokens' | 'refreshTokens' | 'signIns' | 'slots' | 'now'>;
export type RefreshDeps = OpeningDeps & Pick<AccountsDeps, 'rotate' | 'findReplacement'>;
export type GuestDeps = SessionDeps & Pick<AccountsDeps, 'log'>;
export type LoginDeps = PasswordDeps & OpeningDeps & SecondFactorDeps & Pick<AccountsDeps, 'log'>;
export type PasskeyDeps = Pick<AccountsDeps, 'db' | 'passkeys'>;
export type SecondFactorDeps = Pick<
  AccountsDeps,
  'db' | 'totpSecrets' | 'recoveryCodes' | 'passkeys' | 'settings' | 'now'
>;

export interface Origin extends OriginFacts, Deadline {}

/** The data about a request that events and the audit record. */
export interface OriginFacts {
  traceId: string;
  address?: string | undefined;
  /** The address, or the /64 of an IPv6 address: a range that one client can easily use. */
  addressGroup?: string | undefined;
  /** Instead of it, where several requests are answered at once. */
  askedFrom?: readonly string[] | undefined;
  userAgent?: string | undefined;
}

/** How many sessions of each kind an account may have, if it may not have any number of them. */
export interface SessionSlots {
  /** By tag. Without tags, one slot of the tag `''`. */
  perTag: ReadonlyMap<string, number>;
  /** The tag of logins that ask for none, and of the account pages and the console. */
  standard: string;
  /** Whether a login is refused while every slot is taken, until it asks to take one over. */
  refuses: boolean;
}
