import { isIP } from 'node:net';
import { ConfigError } from './config.ts';

/** A range of IP addresses; a single address is a range of one. */
export interface AddressRange {
  address: string;
  /** The number of leading bits that are compared. */
  prefix: number;
  family: 'ipv4' | 'ipv6';
}

/**
 * Parses a setting that lists addresses and CIDR ranges, separated by commas.
 *
 * @throws {ConfigError} with the setting's name and the first invalid entry.
 */
export function addressRanges(setting: string, list: string): AddressRange[] {
  return list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [address = '', prefix, ...rest] = entry.split('/');
      // Node accepts a zone (`fe80::1%eth0`) as part of an address; ranges have none.
      const family = address.includes('%') ? 0 : isIP(address);
      const bits = family === 6 ? 128 : 32;
      const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
      if (family === 0 || !isPrefix || rest.length > 0) {
        throw new ConfigError(`${setting}: "${entry}" is neither an address nor a range of addresses`);
      }
      return {
        address,
        prefix: prefix === undefined ? bits : Number(prefix),
        family: family === 6 ? 'ipv6' : 'ipv4',
      };
    });
}
