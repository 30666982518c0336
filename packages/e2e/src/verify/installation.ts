import { eventually } from '@gatehouse/runtime/testing';
import { SessionStatus } from '@gatehouse/schema';
import { createVerifier } from 'gatehouse-verify';
import type { Revocation, Verdict, Verifier, VerifierOptions } from 'gatehouse-verify';
import { changeSessions } from '../../../../services/admin/src/session/bulk.ts';
import { ORDER } from '../../../../services/admin/src/session/testing.ts';
import {
  startCore,
  startCoreWithSessions,
  type TestCore,
} from '../../../../services/core/src/testing/index.ts';

export type Installation = Awaited<ReturnType<typeof startInstallation>>;

/** Verifiers use a Core that can be stopped. A second instance always runs, to create accounts and end sessions. */
export async function startInstallation() {
  const house = await startCoreWithSessions({ SINGLE_SESSION: false });
  let door: TestCore | undefined = await startCore({}, house);
  const feed = (await house.newToken({ role: 'Feed' })).Token;
  const verifiers: Verifier[] = [];
  const asked: string[] = [];

  const at = {
    ...{ house, feed, asked },
    issuer: house.app.settings.ISSUER,
    newSession: async () => house.login(await house.newAccount()),
    end: (sessionId: string, status?: SessionStatus) => setStatus(house.app, sessionId, status),
    revive: (sessionId: string) => setStatus(house.app, sessionId, SessionStatus.Normal),
    verifier: (revocation: Revocation, options: Partial<VerifierOptions> = {}): Verifier => {
      const verifier = createVerifier({
        issuer: house.app.settings.ISSUER,
        revocation,
        fetch: async (url, init) => {
          const { pathname, search } = new URL(url);
          asked.push(pathname);
          if (door === undefined) throw new Error('Core is away');
          return await fetch(door.url + pathname + search, init);
        },
        ...options,
      });
      verifiers.push(verifier);
      return verifier;
    },
    /** A verifier that knows by the feed which sessions have ended. */
    following: async (options?: Partial<VerifierOptions>): Promise<Verifier> => {
      const verifier = at.verifier({ feed: { token: feed } }, options);
      await eventually(() => verifier.isFresh);
      return verifier;
    },
    closeVerifiers: (): void => {
      for (const verifier of verifiers.splice(0)) verifier.close();
    },
    goAway: async (): Promise<void> => {
      const gone = door;
      door = undefined;
      await gone?.stop();
    },
    restart: async (changes: Parameters<typeof startCore>[0] = {}): Promise<void> => {
      door = await startCore(changes, house);
    },
    stop: async (): Promise<void> => {
      for (const verifier of verifiers) verifier.close();
      await door?.stop();
      await house.stop();
    },
  };
  return at;
}

export function setStatus(
  deps: Parameters<typeof changeSessions>[0],
  sessionId: string,
  status: SessionStatus = SessionStatus.Deactivated,
) {
  return changeSessions(deps, { kind: 'session', sessionId }, { ...ORDER, status });
}

/** The code of a refusal, otherwise the kind of the verdict. */
export function codeOf(verdict: Verdict): string {
  return verdict.kind === 'refused' ? verdict.code : verdict.kind;
}
