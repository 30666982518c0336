import assert from 'node:assert/strict';
import { send } from '../e2e/src/requests/send.ts';
import type { TokenSet } from '../e2e/src/testing/index.ts';

/** The result of a call; status 0 if the connection broke. */
export interface Outcome {
  name: string;
  status: number;
  milliseconds: number;
  body: Record<string, unknown>;
  hasRetryAfter: boolean;
}

export type Tokens = Pick<TokenSet, 'Token' | 'RefreshToken'>;

export function tokensIn(answer: Outcome | undefined): Tokens {
  assert.equal(answer?.status, 200, JSON.stringify(answer));
  return answer.body as unknown as Tokens; // the service has validated it
}

/** A short description of a response. */
export function tell({ status, body: { code, PingStatus } }: Outcome): string {
  return `${status} ${JSON.stringify({ code, PingStatus })}`;
}

/** Whether a fault may cause this response: 503, or none because the process has died. */
export function isExcused({ status }: Outcome): boolean {
  return status === 503 || status === 0;
}

/** A response that takes longer counts as missing. */
const GIVE_UP_MS = 15_000;

/** From a new address, over a connection of its own: none that the gateway closes when idle can break it. */
export async function oneCall(
  name: string,
  url: string,
  given: { body?: object; token?: string | undefined; method?: 'GET' | 'POST' | 'DELETE' } = {},
): Promise<Outcome> {
  const { body, token, method = body === undefined ? 'GET' : 'POST' } = given;
  const begun = performance.now();
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const sent = { method, path: new URL(url).pathname, headers, body, isAlone: true };
  const answer = await send(url, sent, GIVE_UP_MS).catch(() => undefined);
  return {
    name,
    status: answer?.status ?? 0,
    milliseconds: performance.now() - begun,
    body: answer?.body ?? {},
    hasRetryAfter: answer?.headers['retry-after'] !== undefined,
  };
}
