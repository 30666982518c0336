import type {
  LoginStatus,
  PasskeyAssertion,
  PasskeyRequestOptions,
  TwoFactorCodeRequired,
  TwoFactorSetup,
} from '../api/api-types.ts';
import type { IssuedTokens } from '../session/access-token.ts';
import type { CurrentSession } from '../session/state.ts';

/** What a login takes. */
export interface Credentials {
  /** The email address of the account. */
  Username: string;
  Password: string;
  /** A name by which the owner recognizes this device. */
  DeviceName?: string;
  /** Where the client has it already. */
  TwoFactorCode?: string;
}

/** A passkey in the place of the password (`auth.api.beginPasskeyLogin()` gives the token), or as the second factor. */
export type PasskeyStep =
  | { PasskeyToken: string; Credential: PasskeyAssertion; DeviceName?: string }
  | { TwoFactorToken: string; Credential: PasskeyAssertion };

/** What a login leads to. Every `LoginStatus` is one of these, so that a `switch` over `kind` forgets none. */
export type LoginOutcome =
  /** `recoveryCodes`: only where the second factor has just been set up; they are never shown again. */
  | { kind: 'signed-in'; session: CurrentSession; recoveryCodes?: readonly string[] }
  /** Status 2: go on with `loginWithCode(token, code)`. */
  | {
      kind: 'second-factor';
      token: string;
      methods: TwoFactorCodeRequired['SecondFactors'];
      /** Where a passkey is one of them: for the browser, and then `loginWithPasskey`. */
      passkeyOptions?: PasskeyRequestOptions | undefined;
    }
  /** Status 1: show `setup`, and go on with `loginWithCode(token, code)`. */
  | { kind: 'set-up-second-factor'; token: string; setup: TwoFactorSetup }
  | Refused;

/** No session, for a reason that is the account's or the person's own. */
export type Refused = { kind: 'refused'; retryAfterSeconds?: number | undefined } & (
  | { code: 'authentication_failed' | 'too_many_requests'; loginStatus?: undefined }
  | { [C in keyof Conditions]: { code: C; loginStatus: Conditions[C] } }[keyof Conditions]
);

/** The conditions of accounts that get no tokens, by their codes. */
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
