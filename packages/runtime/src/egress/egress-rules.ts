import { isIP } from 'node:net';
import { Enum, Type } from '@gatehouse/schema';
import { withinRanges } from '../addresses.ts';
import { ConfigError, listed } from '../settings/config.ts';

export function webhooksSettings() {
  return {
    WEBHOOKS: Enum(['off', 'on'], {
      default: 'off',
      description:
        'Whether there are webhooks, and applications are told of ended sessions: on where a hook worker runs',
    }),
  };
}

export function egressSettings() {
  return {
    WEBHOOK_NETWORKS: Type.String({
      default: '',
      maxLength: 4096,
      description: 'Inner host names, addresses and CIDR ranges that webhooks may call, with commas',
    }),
  };
}

/** Why a URL that somebody else chose is not called. */
export type EgressFault = 'not_a_url' | 'not_https' | 'has_credentials' | 'address_not_allowed';

/** Which addresses may be called on behalf of somebody else. */
export interface EgressRules {
  /** What is wrong with a URL before its name is looked up. */
  faultOf(url: string): EgressFault | undefined;
  /** Those of the addresses of a URL's name that may be connected to. */
  allowedOf(url: URL, addresses: readonly string[]): string[];
}

/**
 * Addresses of the public Internet may be called over https, and those in `networks` (`WEBHOOK_NETWORKS`). Loopback
 * addresses that `networks` allows may also be called over http, for development.
 *
 * @throws {ConfigError} for an entry that is neither a name nor an address.
 */
export function createEgressRules(networks: string): EgressRules {
  const inner = readNetworks(networks);

  const isAllowed = (address: string): boolean => isPublic(address) || inner.isInRanges(address);
  const allowedOf = (url: URL, addresses: readonly string[]): string[] => {
    const isNamed = inner.names.has(nameOf(url));
    return addresses.filter(
      (one) =>
        isIP(one) !== 0 && (isNamed || isAllowed(one)) && (url.protocol === 'https:' || isLoopback(one)),
    );
  };

  return {
    allowedOf,
    faultOf: (text) => {
      if (!URL.canParse(text)) return 'not_a_url';
      const url = new URL(text);
      if (url.port === '0') return 'not_a_url';
      const name = nameOf(url);
      const isLocal = name === 'localhost' || isLoopback(name);
      if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal)) return 'not_https';
      if (url.username !== '' || url.password !== '') return 'has_credentials';
      const isRefused =
        isIP(name) === 0
          ? isInnerName(name) && !isNameAllowed(inner, name)
          : allowedOf(url, [name]).length === 0;
      return isRefused ? 'address_not_allowed' : undefined;
    },
  };
}

/** The host of a URL without the brackets of an IPv6 address. The parser has already turned `0x7f.1` into 127.0.0.1. */
export function nameOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

interface Networks {
  names: ReadonlySet<string>;
  isInRanges: (address: string) => boolean;
}

function readNetworks(list: string): Networks {
  const entries = listed(list.toLowerCase());
  const names = entries.filter((entry) => NAME.test(entry) && isIP(entry) === 0 && !/^[\d.]+$/.test(entry));
  const ranges = entries.filter((one) => !names.includes(one));
  if (ranges.some((one) => one.includes('*')))
    throw new ConfigError('WEBHOOK_NETWORKS: list each host name, without *');
  return { names: new Set(names), isInRanges: withinRanges('WEBHOOK_NETWORKS', ranges.join(',')) };
}

const NAME = /^[\da-z]([\da-z.-]{0,251}[\da-z])?$/;

/** Names that can only be inside. All others are judged by their addresses. */
function isInnerName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost') || !name.includes('.');
}

/** Such a name may also be allowed by its address, which is checked after the look-up. */
function isNameAllowed({ names, isInRanges }: Networks, name: string): boolean {
  return names.has(name) || (name === 'localhost' && isInRanges('127.0.0.1'));
}

/**
 * Whether an address belongs to the public Internet. Of IPv6 only the range that is given out (2000::/3), so that no form
 * which embeds or maps IPv4 gets through: `::ffff:10.0.0.1`, `64:ff9b::10.0.0.1`.
 */
function isPublic(address: string): boolean {
  return (isIP(address) === 4 || isGivenOut(address)) && !isSpecial(address);
}

const isLoopback = withinRanges('loopback', '127.0.0.0/8,::1');
const isGivenOut = withinRanges('given out', '2000::/3');

/**
 * IANA's registry of special addresses, multicast, and the metadata service of a cloud that has a public address. Of IPv6
 * also Teredo and 6to4, which embed IPv4.
 */
const isSpecial = withinRanges(
  'special',
  [
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '168.63.129.16/32',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.88.99.0/24',
    '192.168.0.0/16',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '224.0.0.0/4',
    '240.0.0.0/4',
    '2001::/23',
    '2001:db8::/32',
    '2002::/16',
    '3fff::/20',
  ].join(','),
);
