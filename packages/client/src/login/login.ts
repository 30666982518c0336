import type {
  ActiveSession,
  LoginStatus,
  PasskeyAssertion,
  PasskeyRequestOptions,
  TwoFactorCodeRequired,
  TwoFactorSetup,
} from '../api/api-types.ts';
import type { IssuedTokens } from '../session/access-token.ts';
import type { CurrentSession } from '../session/state.ts';

/** The input of a login. */
export interface Credentials {
  /** The email address of the account. */
  Username: string;
  Password: string;
  /** A name by which the owner recognizes this device. */
  DeviceName?: string;
  /** The code of the second factor, if the client already has it. */
  TwoFactorCode?: string;
}

/** The input of a login with a mailed code. */
export interface MailedCredentials {
  /** The email address of the account. */
  Username: string;
  MailCode: string;
  /** From the response of `auth.api.requestLoginCode()`: keep it where the code was requested. */
  RequestToken: string;
  DeviceName?: string;
}

/** A passkey instead of the password (`auth.api.beginPasskeyLogin()` returns the token), or as the second factor. */
export type PasskeyStep =
  | { PasskeyToken: string; Credential: PasskeyAssertion; DeviceName?: string }
  | { TwoFactorToken: string; Credential: PasskeyAssertion };

/** The outcome of a login step. Covers every `LoginStatus`, so that a `switch` over `kind` is exhaustive. */
export type LoginOutcome =
  /** `recoveryCodes`: only if the second factor has just been set up. They are never shown again. */
  | { kind: 'signed-in'; session: CurrentSession; recoveryCodes?: readonly string[] }
  /** Status 2: continue with `loginWithCode(token, code)`. */
  | {
      kind: 'second-factor';
      token: string;
      methods: TwoFactorCodeRequired['SecondFactors'];
      /** If a passkey is one of the factors: pass it to the browser, then call `loginWithPasskey`. */
      passkeyOptions?: PasskeyRequestOptions | undefined;
    }
  /** Status 1: show `setup`, then continue with `loginWithCode(token, code)`. */
  | { kind: 'set-up-second-factor'; token: string; setup: TwoFactorSetup }
  | SessionExists<LoginOutcome>
  | Refused;

/** Every session that the account may have is in use (`SESSION_LIMIT=refuse`). */
export interface SessionExists<Outcome> {
  kind: 'session-exists';
  /** Least recently seen first. */
  active: readonly ActiveSession[];
  /** Ends the first of them and signs in, within two minutes. Nothing has to be typed again. */
  takeOver: () => Promise<Outcome>;
}

/** No session: wrong credentials, too many attempts, or a condition of the account. */
export type Refused = { kind: 'refused'; retryAfterSeconds?: number | undefined } & (
  | { code: 'authentication_failed' | 'too_many_requests'; loginStatus?: undefined }
  | { [C in keyof Conditions]: { code: C; loginStatus: Conditions[C] } }[keyof Conditions]
);

/** The conditions in which an account gets no tokens, by error code. */
interface Conditions {
  account_disabled: typeof LoginStatus.IsDisabled;
  email_confirmation_pending: typeof LoginStatus.IsPendingEmailConfirmation;
  signup_pending: typeof LoginStatus.IsPendingNewAccountSignup;
  migration_pending: typeof LoginStatus.IsPendingAccountMigrationSignup;
  new_password_required: typeof LoginStatus.IsPendingNewPassword;
  account_expired: typeof LoginStatus.IsExpired;
  invitation_pending: typeof LoginStatus.IsPendingInvitation;
}

/** Stores the tokens of a login. */
export type Open = (given: IssuedTokens) => Promise<CurrentSession>;
