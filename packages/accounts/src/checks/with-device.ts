import type { OriginFacts } from '../deps.ts';
import { describeUserAgent } from './describe-user-agent.ts';

/** The source of a request, with the description of its device for mails. */
export function withDevice({ traceId, address, userAgent = '' }: OriginFacts) {
  return { traceId, address, deviceName: describeUserAgent(userAgent) };
}
