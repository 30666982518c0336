import { BlockList, isIP } from 'node:net';
import { ConfigError, listed } from './settings/config.ts';

/** How many times as much a network may do as one of its groups. */
const NETWORK_TIMES = 3;

/** What one client can easily use, for limits by address: an IPv4 address, or the /64 of an IPv6 address. */
export function addressGroup(address: string): string {
  const plain = plainAddress(address);
  if (isIP(plain) !== 6) return plain;
  const [head = '', tail] = plain.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  const parts = [...left, ...Array<string>(Math.max(0, zeros)).fill('0'), ...right];
  return `${parts
    .slice(0, 4)
    .map((part) => Number.parseInt(part, 16).toString(16))
    .join(':')}::/64`;
}

/** The network of an address group: an IPv4 address's /24, or the /48 of an IPv6 group. */
export function networkOf(group: string): string {
  const start = group.split(/[.:]/, 3);
  return group.includes(':') ? `${start.join(':')}::/48` : `${start.join('.')}.0/24`;
}

/**
 * What a limit counts for: the address group, and the network of an IPv6 group, because one line at home often has 256
 * groups, and one customer 65,536. A network of IPv4 has many customers, so it is not counted. Other subjects of a limit
 * (an account, for example) are counted as they are.
 */
export function countedFor(group: string, max: number): { whose: string; max: number }[] {
  const own = { whose: group, max };
  return group.endsWith('::/64') ? [own, { whose: networkOf(group), max: max * NETWORK_TIMES }] : [own];
}

/** The address without its zone; IPv4 mapped into IPv6 (RFC 4291 §2.5.5.2) becomes IPv4. */
export function plainAddress(address: string): string {
  if (!address.includes(':')) return address;
  const [withoutZone = ''] = address.toLowerCase().split('%');
  return withoutZone.startsWith('::ffff:') && isIP(withoutZone.slice(7)) === 4
    ? withoutZone.slice(7)
    : withoutZone;
}

/** A range of IP addresses; a single address is a range of one. */
export interface AddressRange {
  address: string;
  /** The number of leading bits that are compared. */
  prefix: number;
  family: 'ipv4' | 'ipv6';
}

/** Addresses and CIDR ranges, with commas. @throws {ConfigError} with the setting's name and its first fault. */
export function addressRanges(setting: string, list: string): AddressRange[] {
  return listed(list).map((entry) => {
    const [address = '', prefix, ...rest] = entry.split('/');
    // Node accepts a zone (`fe80::1%eth0`) as part of an address; ranges have none.
    const family = address.includes('%') ? 0 : isIP(address);
    const bits = family === 6 ? 128 : 32;
    const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
    if (family === 0 || !isPrefix || rest.length > 0)
      throw new ConfigError(`${setting}: "${entry}" is neither an address nor a range of addresses`);
    return {
      address,
      prefix: prefix === undefined ? bits : Number(prefix),
      family: family === 6 ? 'ipv6' : 'ipv4',
    };
  });
}

/** Returns a check whether an address is in one of the addresses and ranges of such a list. */
export function withinRanges(setting: string, list: string): (address: string) => boolean {
  const ranges = new BlockList();
  for (const { address, prefix, family } of addressRanges(setting, list))
    ranges.addSubnet(address, prefix, family);
  return (address) => {
    const family = isIP(address);
    // A zone (`fe80::1%eth0`) is only part of addresses of this link.
    return family !== 0 && !address.includes('%') && ranges.check(address, family === 6 ? 'ipv6' : 'ipv4');
  };
}
