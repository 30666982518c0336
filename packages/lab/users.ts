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

export async function registerOne({ calls, acknowledged, say }: Scene): Promise<void> {
  const email = someEmail();
  const outcome = await calls.register(email);
  if (outcome.status === 200) acknowledged.push(email);
  else if (!isExcused(outcome)) say(`register: ${tell(outcome)}`);
}

export async function pingOne({ calls, say }: Scene, token: string): Promise<void> {
  const outcome = await calls.ping(token);
  const isNormal = outcome.status === 200 && outcome.body['PingStatus'] === 1;
  if (!isNormal && !isExcused(outcome)) say(`a live session's ping: ${tell(outcome)}`);
}

export async function refreshOne({ calls, refreshing, say }: Scene): Promise<void> {
  const outcome = await calls.refresh(refreshing.refreshToken);
  if (outcome.status === 200) refreshing.refreshToken = String(outcome.body['RefreshToken']);
  else if (!isExcused(outcome)) say(`a live session's refresh: ${tell(outcome)}`);
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
