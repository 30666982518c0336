import type { Asked, Target } from '../load/load.ts';
import { loginOf, type User } from './users.ts';

const JSON_BODY = { 'content-type': 'application/json' };

export type CoreTargets = ReturnType<typeof coreTargets>;

/** The requests to Core: each session sends requests in turn; logins use accounts without a session. */
export function coreTargets(core: {
  url: string;
  metricsUrl: string;
  users: readonly User[];
  others: readonly string[];
}) {
  const { url, users, others } = core;
  const cpuSeconds = (): Promise<number> => readMetric(core.metricsUrl, 'process_cpu_seconds_total');
  const target = (name: string, requests: Asked[]): Target => ({ name, url, requests, cpuSeconds });
  return {
    /** Other requests to Core. */
    target,
    ping: target('POST /account/ping', users.map(pingOf)),
    pingAuth: target('GET /ping/auth', users.map(checkOf)),
    login: target(
      'POST /account/login',
      others.map((email) => loginOf(email)),
    ),
    refresh: refreshing(
      (requests) => target('POST /account/refresh-token', requests),
      users.map(({ refreshToken }) => refreshToken),
      asRefresh,
    ),
  };
}

type Session = Pick<User, 'token'>;

/** A ping with this session. */
export function pingOf(session: Session): Asked {
  const headers = { ...JSON_BODY, ...bearerOf(session) };
  return { method: 'POST', path: '/account/ping', headers, body: '{}' };
}

/** A check of this session. */
export function checkOf(session: Session): Asked {
  return { method: 'GET', path: '/ping/auth', headers: bearerOf(session) };
}

export function bearerOf({ token }: Session): { authorization: string } {
  return { authorization: `Bearer ${token}` };
}

/** Refreshes with these tokens at first, and then with that of each answer, as a client does. */
export function refreshing(
  target: (requests: Asked[]) => Target,
  tokens: readonly string[],
  asked: (token: string) => Asked,
): Target {
  return {
    ...target(tokens.map(asked)),
    next: (_asked, answer) => {
      // As Core's API names it, or as OAuth does.
      const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as Record<string, string>;
      return asked(body['RefreshToken'] ?? body['refresh_token'] ?? '');
    },
  };
}

function asRefresh(RefreshToken: string): Asked {
  const body = JSON.stringify({ RefreshToken });
  return { method: 'POST', path: '/account/refresh-token', headers: JSON_BODY, body };
}

/** The value of a service's metric: the one without labels, otherwise the first one with labels. */
export async function readMetric(metricsUrl: string, name: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  const value = new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)`, 'm').exec(text)?.[1];
  if (value === undefined) throw new Error(`the metrics at ${metricsUrl} do not tell ${name}`);
  return Number(value);
}
