import type { IssuedTokens } from '../session/access-token.ts';
import type { LoginResponse } from '../api/api-types.ts';
import { GatehouseError, ownError } from '../api/gatehouse-error.ts';
import { nextStepOf, refusalOf, type Credentials, type LoginOutcome, type PasskeyStep } from './login.ts';
import type { Place } from './mail-link.ts';
import type { ServerCalls } from '../api/server-calls.ts';
import type { SessionKeeper } from '../session/session-keeper.ts';
import type { SignOnOutcome } from './sign-on.ts';
import type { CurrentSession, StateStore } from '../session/state.ts';

interface Deps {
  keeper: SessionKeeper;
  state: StateStore;
  server: ServerCalls;
  now: () => number;
  /** Resolves when it is known what the browser keeps. */
  starting: Promise<unknown>;
}

/** Ways into a session, and the way out of it. */
export function createLogins({ keeper, state, server, now, starting }: Deps) {
  /** One more with every login and logout: an answer that comes after a later one is dropped. */
  let turn = 0;

  async function open(given: IssuedTokens, since: number): Promise<CurrentSession> {
    await keeper.open(given, since);
    const session = state.session();
    if (session === undefined) throw ownError('signed_out');
    return session;
  }

  async function logIn(body: object): Promise<LoginOutcome> {
    const mine = ++turn;
    await starting;
    const [since, askedAt] = [keeper.known(), now()];
    let answer: LoginResponse;
    try {
      answer = (await server.core('/account/login', body)) as LoginResponse; // as documented
    } catch (error) {
      return refusalOf(error);
    }
    const next = nextStepOf(answer);
    if (next !== undefined) return next;
    // A cookie is given to those alone who ask for one.
    if (!('Token' in answer)) throw ownError('unexpected');
    const { Token: token, RefreshToken: refreshToken } = answer;
    const codes = 'RecoveryCodes' in answer ? { recoveryCodes: answer.RecoveryCodes } : {};
    try {
      if (mine !== turn) throw ownError('superseded');
      return { kind: 'signed-in', session: await open({ token, refreshToken, askedAt }, since), ...codes };
    } catch (error) {
      // A session that nobody will use.
      server.logout(token).catch(() => {});
      throw error;
    }
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
        const isOver =
          error instanceof GatehouseError && (error.status === 401 || error.loginStatus !== undefined);
        if (!isOver) throw error;
      }
    },

    /** Sends the browser to an identity provider, from where it comes back to `returnUrl` (docs/sso.md). */
    async signOn(provider: string, { returnUrl }: { returnUrl?: string } = {}): Promise<void> {
      const { beginSignOn } = await import('./sign-on.ts');
      location.assign(await beginSignOn(server.urlOf(provider, 'login'), { provider, returnUrl }));
    },

    /** Ends a sign-on that this tab has begun, on the page of its `returnUrl`. */
    async completeSignOn(place: Place): Promise<SignOnOutcome> {
      const { takeSignOn } = await import('./sign-on.ts');
      const taken = takeSignOn(place);
      if (taken.kind === 'none' || taken.kind === 'refused') return taken;
      turn += 1;
      await starting;
      const given = taken.kind === 'tokens' ? { ...taken, askedAt: now() } : await server.redeem(taken);
      return { kind: 'signed-in', session: await open(given, keeper.known()) };
    },
  };
}
