import { createHash } from 'node:crypto';
import { jsonIn } from '@gatehouse/runtime';
import { redirectUriFault, shownName } from '@gatehouse/schema';

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

interface SaidClient {
  redirectUris: string[];
  /** What it calls itself; `undefined` if it does not, or if we would not repeat it. */
  calledItself: string | undefined;
}

const URIS_MAX = 20;
const URI_LENGTH_MAX = 1024;

/**
 * Reads the document of an application (OAuth Client ID Metadata Document), or says what is wrong with it, for its
 * developer. Members that are not known are ignored.
 *
 * @param url where it was fetched, which must be its `client_id`.
 */
export function readClientDocument(text: string, url: string): SaidClient | { fault: string } {
  const said = parse(text);
  if (said === undefined) return { fault: 'is no JSON object' };
  if (said['client_id'] !== url) return { fault: 'client_id must be the address of the document' };
  if ('client_secret' in said || 'client_secret_expires_at' in said)
    return { fault: 'client_secret must not be there' };
  const method = said['token_endpoint_auth_method'] ?? 'none';
  if (method !== 'none') return { fault: 'token_endpoint_auth_method must be none' };
  const uris = said['redirect_uris'];
  if (!isListOfTexts(uris) || uris.length === 0 || uris.length > URIS_MAX)
    return { fault: `redirect_uris must be a list of 1 to ${URIS_MAX} addresses` };
  for (const [at, uri] of uris.entries()) {
    const fault = uri.length > URI_LENGTH_MAX ? 'is too long' : ownUriFault(uri, new URL(url).host);
    if (fault !== undefined) return { fault: `redirect_uris[${at}] ${fault}` };
  }
  const name = said['client_name'];
  return {
    redirectUris: [...new Set(uris)],
    calledItself: typeof name === 'string' ? shownName(name) : undefined,
  };
}

/** An answer goes to the host that vouches for the application, or to a program on the user’s own device. */
function ownUriFault(uri: string, host: string): string | undefined {
  const fault = redirectUriFault(uri);
  if (fault !== undefined) return fault;
  const { protocol, host: own } = new URL(uri);
  const isOwn = protocol === 'http:' || (protocol === 'https:' && own === host);
  return isOwn ? undefined : 'must have the host of the document, or http with localhost';
}

function parse(text: string): Record<string, unknown> | undefined {
  const value = jsonIn(text);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : undefined; // JSON has no other objects
}

function isListOfTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
