import type {
  BrowserSessions,
  BrowserSite,
  CodeHasher,
  FailureCounters,
  Passkeys,
  Passwords,
  RefreshTokens,
  StaticTokens,
  Tokens,
} from '@gatehouse/auth-core';
import type { SessionCache } from '@gatehouse/session-cache';
import type { Db, Relay } from '@gatehouse/db';
import type { Seal } from '@gatehouse/events';
import type { SecretBox } from '@gatehouse/crypto';
import type { Deadline, KeyedMutex, Limiter, Log } from '@gatehouse/runtime';
import type { AccountSettings } from './settings/account-settings.ts';
import type { FindReplacement } from './session/refresh/replacements.ts';
import type { Rotate } from './session/refresh/rotations.ts';
import type { SessionFeed } from './session/feed/session-feed.ts';
import type { ActivityRecorder } from './statistics/activity-recorder.ts';

/** What the rules of accounts and sessions work with. */
export interface AccountsDeps {
  db: Db;
  sessionCache: SessionCache;
  tokens: Tokens;
  refreshTokens: RefreshTokens;
  /** Uses a refresh token, together with others that come at the same time. */
  rotate: Rotate;
  /** What a client with a replaced session is shown about the login that replaced it. */
  findReplacement: FindReplacement;
  staticTokens: StaticTokens;
  /** Browser sessions, and the sites whose cookies this service takes. */
  browser: { sessions: BrowserSessions; sites: readonly BrowserSite[] };
  passwords: Passwords;
  codes: CodeHasher;
  /** Holds the secrets of authenticator apps, each bound to its account. */
  totpSecrets: SecretBox;
  recoveryCodes: CodeHasher;
  /** Checks passkeys; `undefined` where the address of the pages allows none. */
  passkeys: Passkeys | undefined;
  seal: Seal;
  failures: FailureCounters;
  /** Sign-ons that came back from a provider and failed, by address. */
  signOns: FailureCounters;
  /** Mails that strangers asked for, by address. */
  mailsAskedFor: FailureCounters;
  /** Challenges that strangers asked for to log in with a passkey, by address. */
  passkeyChallenges: FailureCounters;
  /** Exports that owners asked for, by account. */
  exports: FailureCounters;
  /** What exports wait for. */
  exportTurns: Limiter;
  /** Lets the many that bring one link hash one password instead of a queue full. */
  mutex: KeyedMutex;
  /** Carries the outbox to the broker; woken after a commit, and wakes `sessionFeed`. */
  relay: Relay;
  /** Tells of changes of sessions. */
  sessionFeed: SessionFeed;
  /** Counts what happens, for the statistics. */
  activity: ActivityRecorder;
  /** The present moment, in milliseconds since the epoch; what decides about expiry asks the database instead. */
  now: () => number;
  settings: AccountSettings;
  log: Log;
}

/** What counts failed checks of secrets. */
export type ThrottleDeps = Pick<AccountsDeps, 'db' | 'failures' | 'settings'>;
/** What checks passwords, each under its count. */
export type PasswordDeps = ThrottleDeps & Pick<AccountsDeps, 'passwords' | 'codes'>;
/** What tells owners and guests by mail, in a transaction that its caller has. */
export type NoticeDeps = Pick<AccountsDeps, 'seal' | 'settings' | 'activity'>;
/** What makes codes and mails them, in a transaction that its caller has. */
export type MailDeps = NoticeDeps & Pick<AccountsDeps, 'codes'>;
/** What ends sessions and makes that hold everywhere. */
export type SessionDeps = Pick<AccountsDeps, 'db' | 'sessionCache' | 'relay' | 'settings' | 'activity'>;
/** What opens sessions. */
export type OpeningDeps = SessionDeps & NoticeDeps & Pick<AccountsDeps, 'tokens' | 'refreshTokens'>;
/** What gives the holder of a refresh token another access token. */
export type RefreshDeps = OpeningDeps & Pick<AccountsDeps, 'rotate' | 'findReplacement'>;
/** What ends the access of guests, and removes those who have none left. */
export type GuestDeps = SessionDeps & Pick<AccountsDeps, 'log'>;
/** What finds sessions, and who is online. */
export type PresenceDeps = Pick<AccountsDeps, 'db' | 'sessionCache' | 'settings' | 'now'>;
/** What takes a login through its steps. */
export type LoginDeps = PasswordDeps & OpeningDeps & SecondFactorDeps & Pick<AccountsDeps, 'log'>;
/** What checks passkeys. */
export type PasskeyDeps = Pick<AccountsDeps, 'db' | 'passkeys'>;
/** What checks second factors. */
export type SecondFactorDeps = Pick<
  AccountsDeps,
  'db' | 'totpSecrets' | 'recoveryCodes' | 'passkeys' | 'settings' | 'now'
>;

/** The request that something is done for, and when it is answered at the latest. */
export interface Origin extends OriginFacts, Deadline {}

/** What events and the audit record about a request. */
export interface OriginFacts {
  traceId: string;
  address?: string | undefined;
  userAgent?: string | undefined;
}
