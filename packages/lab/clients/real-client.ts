import type { Provider, UserBrowser } from './provider.ts';

/** An application that signs people in with a library that is not ours. */
export interface RealClient {
  /** Signs the user of the browser in; `email` and the session are what the library has read from the ID token. */
  signIn(browser: UserBrowser): Promise<{ email: string | undefined; sessionId: string }>;
  /** The email in the answer of the userinfo endpoint; rejects if that is refused. */
  userinfo(): Promise<string | undefined>;
  /** Rejects if it is refused. */
  refresh(): Promise<void>;
  /** Whether the application itself still has its user signed in, if it is told of the end of sessions. */
  isSignedIn?(): Promise<boolean>;
  accessToken?(): string;
  /** Logs out here and at the provider, and returns to the application. */
  logOut(browser: UserBrowser): Promise<void>;
  stop(): Promise<void>;
}

export type StartClient = (provider: Provider) => Promise<RealClient>;

/** For a library whose work ends with the sign-in. */
export type StartSignIn = (provider: Provider) => Promise<Pick<RealClient, 'signIn' | 'stop'>>;

/** An address to which browsers return and that nobody answers, for a library that only needs the address. */
export const NOWHERE = 'http://127.0.0.1:9';
