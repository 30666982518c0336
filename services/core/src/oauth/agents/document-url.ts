import { createHash } from 'node:crypto';

/** A name of the Internet in lower case. Names of other scripts are in their ASCII form, which does not deceive the eye. */
export const HOST = /^(?=.{4,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])$/;

const LENGTH_MAX = 255;

/**
 * The host of a `client_id` that is the address of a document (OAuth Client ID Metadata Document); `undefined` if it is
 * none. It is compared as text, so only one spelling of each address counts: no port, query or fragment, no user, and no
 * segments that are dots.
 */
export function hostOfDocument(clientId: string): string | undefined {
  if (clientId.length > LENGTH_MAX || !/^https:\/\/[!-~]+$/.test(clientId) || !URL.canParse(clientId))
    return undefined;
  const { href, hostname, host, search, hash, username, password } = new URL(clientId);
  const isPlain = href === clientId && host === hostname && !/[?#*\\]/.test(clientId);
  const isBare = search === '' && hash === '' && username === '' && password === '';
  return isPlain && isBare && HOST.test(hostname) ? hostname : undefined;
}

/** The id of the client of a document: always the same, so that no look-up is needed to recognise it (RFC 9562 §5.8). */
export function idOfDocument(url: string): string {
  const bytes = createHash('sha256').update(url).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
