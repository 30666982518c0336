import { setTimeout as pause } from 'node:timers/promises';
import { someEmail } from '@gatehouse/accounts/testing';
import { PASSWORD } from '../e2e/src/testing/index.ts';
import { isExcused, oneCall, tell, type Outcome } from './one-call.ts';

/** The calls of the API. `remember` gets each outcome. */
export function callsOf(
  { core, portal }: { core: string; portal: string },
  remember: (outcome: Outcome) => void = () => {},
) {
  const ask = async (...given: Parameters<typeof oneCall>): Promise<Outcome> => {
    const outcome = await oneCall(...given);
    remember(outcome);
    return outcome;
  };
  return {
    register: (Email: string) =>
      ask('register', `${core}/account/register`, { body: { Email, Password: PASSWORD } }),
    verify: (Email: string, Code: string) =>
      ask('verify', `${core}/account/verify`, { body: { Email, Code } }),
    login: (Username: string, Password = PASSWORD) =>
      ask('login', `${core}/account/login`, { body: { Username, Password } }),
    ping: (token: string, name = 'ping') => ask(name, `${core}/account/ping`, { body: {}, token }),
    check: (token: string) => ask('check', `${core}/ping/auth`, { token }),
    profile: (token: string) => ask('profile', `${portal}/account/profile`, { token }),
    refresh: (RefreshToken: string) =>
      ask('refresh', `${core}/account/refresh-token`, { body: { RefreshToken } }),
    logout: (token: string) => ask('logout', `${core}/account/logout`, { body: {}, token }),
  };
}

/** What users under load call and have, and what they say of broken promises. */
export interface Scene {
  calls: ReturnType<typeof callsOf>;
  /** The newest refresh token of the user who refreshes. */
  refreshing: { refreshToken: string };
  /** Emails whose registration was answered with a 2xx. */
  acknowledged: string[];
  say(breach: string): void;
}

/** Whether a call was answered as it must be. If not, and no fault excuses it, that is said. */
export function holds(
  { say }: Pick<Scene, 'say'>,
  what: string,
  outcome: Outcome,
  isGood = outcome.status === 200,
): boolean {
  if (!isGood && !isExcused(outcome)) say(`${what}: ${tell(outcome)}`);
  return isGood;
}

export async function registerOne(scene: Scene): Promise<void> {
  const email = someEmail();
  if (holds(scene, 'register', await scene.calls.register(email))) scene.acknowledged.push(email);
}

export async function pingOne(scene: Scene, token: string): Promise<void> {
  const outcome = await scene.calls.ping(token);
  const isNormal = outcome.status === 200 && outcome.body['PingStatus'] === 1;
  holds(scene, "a live session's ping", outcome, isNormal);
}

export async function refreshOne(scene: Scene): Promise<void> {
  const { calls, refreshing } = scene;
  const outcome = await calls.refresh(refreshing.refreshToken);
  if (holds(scene, "a live session's refresh", outcome))
    refreshing.refreshToken = String(outcome.body['RefreshToken']);
}

/** Repeats each act, with this pause, until it is stopped; `stop` resolves when the current ones have ended. */
export function repeated(acts: readonly [pauseMs: number, act: () => Promise<unknown>][]) {
  let isOver = false;
  const all = acts.map(async ([pauseMs, act]) => {
    while (!isOver) {
      await act();
      await pause(pauseMs);
    }
  });
  return {
    stop: async (): Promise<void> => {
      isOver = true;
      await Promise.all(all);
    },
  };
}
