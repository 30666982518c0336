import { networkCheck } from '@gatehouse/auth-core';
import { invalidRequest } from '@gatehouse/http';
import { Type } from '@gatehouse/schema';

/** The networks from which a token may be used. */
export const Networks = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
  minItems: 1,
  maxItems: 50,
  description: 'IP addresses and CIDR ranges from which the token is accepted; anywhere if omitted',
});

/** @throws {ApiError} 400 with the first entry that is neither an address nor a range. */
export function checkNetworks(networks: readonly string[] | undefined): void {
  for (const [at, network] of (networks ?? []).entries()) {
    if (isNetwork(network)) continue;
    const message = 'must be an IP address or a CIDR range';
    throw invalidRequest(undefined, { errors: [{ pointer: `/Networks/${at}`, message, code: 'malformed' }] });
  }
}

function isNetwork(text: string): boolean {
  if (!/^[0-9A-Fa-f.:/]+$/.test(text)) return false;
  try {
    networkCheck([text]);
    return true;
  } catch {
    return false;
  }
}
