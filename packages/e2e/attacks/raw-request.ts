import type { IncomingHttpHeaders } from 'node:http';
import { send, type Sent } from '../src/requests/send.ts';

export { someAddress } from '@gatehouse/accounts/testing';

/** A request as an attacker sends it, without normalisation. */
export interface RawRequest extends Sent {
  token?: string | undefined;
}

export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The parsed JSON; empty if the text is not a JSON object. */
  json: Record<string, unknown>;
  ms: number;
}

/** The promise for every response, whatever the request. */
const ANSWER_MS = 5000;

/**
 * Sends a request directly to a service, each time from a different address, because failures are counted by address.
 *
 * @throws {Error} if there is no response within five seconds.
 */
export async function ask(url: string, { token, headers, ...sent }: RawRequest): Promise<HttpAnswer> {
  const startedAt = performance.now();
  const bearer = token !== undefined && { authorization: `Bearer ${token}` };
  const { body: json, ...answer } = await send(
    url,
    { ...sent, headers: { ...bearer, ...headers } },
    ANSWER_MS,
  );
  return { ...answer, json, ms: performance.now() - startedAt };
}
