import { BlockList, isIP } from 'node:net';
import { addressRanges, plainAddress } from '@gatehouse/runtime';

/** More than any chain of proxies; a client may claim thousands. */
const PROXIES_MAX = 20;

/** Determines the client’s address from the peer’s address and `X-Forwarded-For`. */
export type ClientAddress = (peer: string | undefined, forwardedFor: string | string[] | undefined) => string;

/**
 * Trusts only the part of `X-Forwarded-For` that trusted proxies wrote: from the right, the first address that is not
 * a trusted proxy is the client's. The client may have invented everything to the left of it.
 *
 * @param trustProxy addresses or CIDR ranges, separated by commas.
 * @throws {ConfigError} if one of them is neither.
 */
export function createClientAddress(trustProxy: string): ClientAddress {
  const trusted = new BlockList();
  for (const { address, prefix, family } of addressRanges('TRUST_PROXY', trustProxy)) {
    trusted.addSubnet(address, prefix, family);
  }
  return (peer, forwardedFor) => {
    const address = plainAddress(peer ?? '');
    if (forwardedFor === undefined || !isTrusted(trusted, address)) return address;
    const hops = String(forwardedFor).split(',').slice(-PROXIES_MAX);
    let client = address;
    while (hops.length > 0 && isTrusted(trusted, client)) {
      const hop = plainAddress(hops.pop()?.trim() ?? '');
      if (isIP(hop) === 0) break;
      client = hop;
    }
    return client;
  };
}

function isTrusted(trusted: BlockList, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && trusted.check(address, family === 6 ? 'ipv6' : 'ipv4');
}
