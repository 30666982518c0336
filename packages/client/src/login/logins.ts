import { ownError, throwOffline, type GatehouseError } from '../api/gatehouse-error.ts';
import type { ServerCalls } from '../api/server-calls.ts';
import type { SessionKeeper } from '../session/session-keeper.ts';
import type { StateStore } from '../session/state.ts';
import type { Credentials, LoginOutcome, MailedCredentials, Open, PasskeyStep } from './login.ts';
import type { Place } from './mail-link.ts';
import type { SignOnOutcome } from './ways-in.ts';

interface Deps {
  keeper: SessionKeeper;
  state: StateStore;
  server: ServerCalls;
  now: () => number;
  sessionTag: string | undefined;
  /** Resolves when the stored session has been read. */
  starting: Promise<unknown>;
}

/** Loaded separately, because a page that is already signed in does not need these functions. */
export const loadLogins = () => import('./ways-in.ts').catch(throwOffline);

/** The ways to open a session, and logout. */
export function createLogins({ keeper, state, server, now, sessionTag, starting }: Deps) {
  /** Incremented by every login and logout: a response that a later one has overtaken is dropped. */
  let turn = 0;

  // Loaded early if nobody is signed in: a login need not wait, and a new release may have removed the chunk by then.
  starting.then((): unknown => state.session() ?? loadLogins()).catch(() => {});

  async function begin(): Promise<Open> {
    const mine = ++turn;
    await starting;
    const since = keeper.known();
    return async (given) => {
      try {
        if (mine !== turn) throw ownError('superseded');
        await keeper.open(given, since);
        const session = state.session();
        if (session === undefined) throw ownError('signed_out');
        return session;
      } catch (error) {
        // Ends the new session, because nobody will use it.
        server.logout(given.token).catch(() => {});
        throw error;
      }
    };
  }

  async function logIn(body: object): Promise<LoginOutcome> {
    const begun = begin();
    const { sendLogin } = await loadLogins();
    return sendLogin(body, { server, now, sessionTag, ownError, open: await begun, logIn });
  }

  return {
    /** Logs in. Rejects if there is no outcome: no response, an invalid request, or a later login or logout. */
    login: (credentials: Credentials): Promise<LoginOutcome> => logIn(credentials),

    /** The second step of a login, with the code of the authenticator app or a recovery code. */
    loginWithCode: (token: string, code: string): Promise<LoginOutcome> =>
      logIn({ TwoFactorToken: token, TwoFactorCode: code }),

    /** Logs in with the code that `auth.api.requestLoginCode()` has mailed, and the token from its response. */
    loginWithMailCode: (mailed: MailedCredentials): Promise<LoginOutcome> => logIn(mailed),

    loginWithPasskey: (step: PasskeyStep): Promise<LoginOutcome> => logIn(step),

    /**
     * Logs out in all tabs immediately, and then on the server. Rejects if the server could not be reached; the session
     * then ends by its idle timeout.
     */
    async logout(): Promise<void> {
      turn += 1;
      await starting;
      const kept = await keeper.read();
      if (kept === undefined) return;
      const access = keeper.access();
      await keeper.end(kept.id, { reason: 'logged-out' });
      try {
        const isGood = access?.session.id === kept.id && keeper.isUsable(access);
        await server.logout(isGood ? access.token : (await server.exchange(kept)).token);
      } catch (error) {
        const { status, loginStatus } = error as GatehouseError; // other errors have neither field
        if (status !== 401 && loginStatus === undefined) throw error;
      }
    },

    /** Sends the browser to an identity provider, which sends it back to `returnUrl` (docs/sso.md). */
    signOn: async (provider: string, options: { returnUrl?: string } = {}): Promise<void> =>
      (await loadLogins()).beginSignOn(server.admin(), provider, { ...options, sessionTag }),

    /** Completes a sign-on that this tab has begun. Call it on the page at `returnUrl`. */
    completeSignOn: async (place: Place): Promise<SignOnOutcome> =>
      (await loadLogins()).completeSignOn(place, { server, now, begin }),
  };
}
