import { ownError, type GatehouseError } from '../api/gatehouse-error.ts';
import type { ServerCalls } from '../api/server-calls.ts';
import type { SessionKeeper } from '../session/session-keeper.ts';
import type { StateStore } from '../session/state.ts';
import type { Credentials, LoginOutcome, Open, PasskeyStep } from './login.ts';
import type { Place } from './mail-link.ts';
import type { SignOnOutcome } from './sign-on.ts';

interface Deps {
  keeper: SessionKeeper;
  state: StateStore;
  server: ServerCalls;
  now: () => number;
  /** Resolves when it is known what the browser keeps. */
  starting: Promise<unknown>;
}

/** A page whose session stands need not load these. */
const load = () => import('./ways-in.ts');

/** Ways into a session, and the way out of it. */
export function createLogins({ keeper, state, server, now, starting }: Deps) {
  /** One more with every login and logout: an answer that comes after a later one is dropped. */
  let turn = 0;

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
        // A session that nobody will use.
        server.logout(given.token).catch(() => {});
        throw error;
      }
    };
  }

  async function logIn(body: object): Promise<LoginOutcome> {
    const begun = begin();
    const { sendLogin } = await load();
    return sendLogin(body, { server, now, ownError, open: await begun });
  }

  return {
    /** Logs in. Rejects where there is no outcome: no answer, a request that was wrong, or a later login or logout. */
    login: (credentials: Credentials): Promise<LoginOutcome> => logIn(credentials),

    /** The second step: the code of the app, or a recovery code. */
    loginWithCode: (token: string, code: string): Promise<LoginOutcome> =>
      logIn({ TwoFactorToken: token, TwoFactorCode: code }),

    loginWithPasskey: (step: PasskeyStep): Promise<LoginOutcome> => logIn(step),

    /**
     * Logs out, in all tabs at once, and then on the server. Rejects if the server could not be reached; the session
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
        const { status, loginStatus } = error as GatehouseError; // anything else has none of these
        if (status !== 401 && loginStatus === undefined) throw error;
      }
    },

    /** Sends the browser to an identity provider, from where it comes back to `returnUrl` (docs/sso.md). */
    signOn: async (provider: string, options: { returnUrl?: string } = {}): Promise<void> =>
      (await load()).beginSignOn(server.admin(), provider, options.returnUrl),

    /** Ends a sign-on that this tab has begun, on the page of its `returnUrl`. */
    completeSignOn: async (place: Place): Promise<SignOnOutcome> =>
      (await load()).completeSignOn(place, { server, now, begin }),
  };
}
