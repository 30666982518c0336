import { isIP } from 'node:net';
import { invalidRequest } from '@gatehouse/http';

/** Validates an IP address or a network in CIDR notation (RFC 4632, RFC 4291 §2.3). */
export function readNetwork(text: string | undefined, pointer: string): string | undefined {
  if (text === undefined || isNetwork(text)) return text;
  throw invalidRequest(undefined, {
    errors: [
      { pointer, message: 'must be an IP address, or a network such as 192.0.2.0/24', code: 'malformed' },
    ],
  });
}

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = address.includes('%') ? 0 : isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return (
    prefix === undefined || (/^[0-9]{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128))
  );
}
