import { isIP } from 'node:net';
import { plainAddress, withinRanges } from '@gatehouse/runtime';

/** More than any chain of proxies; a client may claim thousands. */
const PROXIES_MAX = 20;

export type ClientAddress = (peer: string | undefined, forwardedFor: string | string[] | undefined) => string;

/**
 * Trusts only the part of `X-Forwarded-For` that trusted proxies wrote: from the right, the first address that is not
 * a trusted proxy is the client's. The client may have invented everything to the left of it.
 *
 * @param trustProxy addresses or CIDR ranges, separated by commas.
 * @throws {ConfigError} if one of them is neither.
 */
export function createClientAddress(trustProxy: string): ClientAddress {
  const isTrusted = withinRanges('TRUST_PROXY', trustProxy);
  return (peer, forwardedFor) => {
    const address = plainAddress(peer ?? '');
    if (forwardedFor === undefined || !isTrusted(address)) return address;
    const hops = String(forwardedFor).split(',').slice(-PROXIES_MAX);
    let client = address;
    while (hops.length > 0 && isTrusted(client)) {
      const hop = plainAddress(withoutPort(hops.pop()?.trim() ?? ''));
      if (isIP(hop) === 0) break;
      client = hop;
    }
    return client;
  };
}

/** Azure's gateway and IIS write `192.0.2.1:49152`, and `[2001:db8::1]:49152`. */
function withoutPort(hop: string): string {
  const [, ipv4, ipv6] = /^(?:([\d.]+)|\[([^[\]]+)\])(?::\d{1,5})?$/.exec(hop) ?? [];
  return ipv4 ?? ipv6 ?? hop;
}
