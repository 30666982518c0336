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
    ping: target('POST /account/ping', users.map(pingOf)),
    pingAuth: target(
      'GET /ping/auth',
      users.map((user) => ({ method: 'GET', path: '/ping/auth', headers: bearerOf(user) })),
    ),
    login: target(
      'POST /account/login',
      others.map((email) => loginOf(email)),
    ),
    refresh: refreshOf(target('POST /account/refresh-token', users.map(asRefresh))),
  };
}

/** A ping with the session of this user. */
function pingOf(user: User): Asked {
  return { method: 'POST', path: '/account/ping', headers: { ...JSON_BODY, ...bearerOf(user) }, body: '{}' };
}

export function bearerOf({ token }: { token: string }): { authorization: string } {
  return { authorization: `Bearer ${token}` };
}

/** Adopts the refresh token of each answer, as a client does. */
function refreshOf(target: Target): Target {
  return {
    ...target,
    next: (_asked, answer) => {
      const { RefreshToken } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as {
        RefreshToken: string;
      };
      return asRefresh({ refreshToken: RefreshToken });
    },
  };
}

function asRefresh({ refreshToken }: { refreshToken: string }): Asked {
  return {
    method: 'POST',
    path: '/account/refresh-token',
    headers: JSON_BODY,
    body: JSON.stringify({ RefreshToken: refreshToken }),
  };
}

/** The value of a service's metric: the one without labels, otherwise the first one with labels. */
export async function readMetric(metricsUrl: string, name: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  const value = new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)`, 'm').exec(text)?.[1];
  if (value === undefined) throw new Error(`the metrics at ${metricsUrl} do not tell ${name}`);
  return Number(value);
}
