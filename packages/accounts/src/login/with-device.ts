import type { OriginFacts } from '../deps.ts';
import { describeUserAgent } from './describe-user-agent.ts';

/** Where a request came from, with the words for its device that a mail shows. */
export function withDevice({ traceId, address, userAgent = '' }: OriginFacts) {
  return { traceId, address, deviceName: describeUserAgent(userAgent) };
}
