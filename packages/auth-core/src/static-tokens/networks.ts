import { BlockList, isIP } from 'node:net';
import { addressRanges } from '@gatehouse/runtime';

/**
 * Returns a check whether an address is in one of these addresses and CIDR ranges; with `null` every address is.
 *
 * @throws {ConfigError} if one of them is neither.
 */
export function networkCheck(networks: readonly string[] | null): (address: string | undefined) => boolean {
  if (networks === null) return () => true;
  const ranges = new BlockList();
  for (const { address, prefix, family } of addressRanges('Networks', networks.join(','))) {
    ranges.addSubnet(address, prefix, family);
  }
  return (address = '') => {
    const family = isIP(address);
    return family !== 0 && ranges.check(address, family === 6 ? 'ipv6' : 'ipv4');
  };
}

/** Whether all addresses of these networks are in the other ones too; `null` is every address. */
export function areWithin(networks: readonly string[] | null, bounds: readonly string[] | null): boolean {
  if (bounds === null) return true;
  if (networks === null) return false;
  const outer = addressRanges('Networks', bounds.join(','));
  return addressRanges('Networks', networks.join(',')).every(({ address, prefix, family }) =>
    outer.some((bound) => {
      if (bound.family !== family || bound.prefix > prefix) return false;
      const range = new BlockList();
      range.addSubnet(bound.address, bound.prefix, family);
      return range.check(address, family);
    }),
  );
}
