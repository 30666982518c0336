import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

/** Looks up all addresses of a name. With the signal it ends. */
export type LookUpName = (name: string, signal?: AbortSignal) => Promise<string[]>;

/** A name whose servers have not answered by then is given up. */
const NAME_MS = 4000;
const SERVER_MS = 1500;
/** Of more addresses no connection would be tried in time. */
const ADDRESSES_MAX = 16;
/** As many search domains as the operating systems read. */
const DOMAINS_MAX = 6;

/**
 * Looks up a name whose servers somebody else runs. Not by getaddrinfo, which cannot be ended and has few threads: names
 * without an answer would keep them from all others, and from the connections of the process itself. Names of the hosts
 * file wait for no server.
 *
 * @throws an error with the code `ENOTFOUND`, or `ETIMEDOUT` if there was no answer.
 */
export async function lookUpName(
  name: string,
  signal?: AbortSignal,
  { servers, nameMs = NAME_MS }: { servers?: string[]; nameMs?: number } = {},
): Promise<string[]> {
  const known = await addressesInHosts(name.replace(/\.$/, ''));
  if (known.length > 0) return known;
  // One for each name: it shares neither sockets nor a queue, and reads the operating system's settings as they are now.
  const resolver = new Resolver({ timeout: SERVER_MS, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  const cancel = (): void => resolver.cancel();
  const timer = setTimeout(cancel, nameMs);
  signal?.addEventListener('abort', cancel);
  try {
    for (const suffix of ['', ...(name.endsWith('.') ? [] : await searchDomains())]) {
      const asked = await Promise.allSettled([
        resolver.resolve4(name + suffix),
        resolver.resolve6(name + suffix),
      ]);
      const found = asked.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
      if (found.length > 0) return found.slice(0, ADDRESSES_MAX);
      if (asked.some((one) => one.status === 'rejected' && isLate(one.reason)))
        throw Object.assign(new Error('no name server answered in time'), { code: 'ETIMEDOUT' });
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
  throw Object.assign(new Error('the name has no address'), { code: 'ENOTFOUND' });
}

function isLate(error: unknown): boolean {
  return ['ETIMEOUT', 'ECANCELLED'].includes((error as { code: string }).code); // an error of Node's DNS
}

async function addressesInHosts(name: string): Promise<string[]> {
  const lines = await linesOf('/etc/hosts');
  const known = lines.flatMap(([address = '', ...names]) =>
    isIP(address) !== 0 && names.some((one) => one.toLowerCase() === name) ? [address] : [],
  );
  return known.length === 0 && name === 'localhost' ? ['127.0.0.1', '::1'] : known;
}

async function searchDomains(): Promise<string[]> {
  const lines = await linesOf('/etc/resolv.conf');
  const [, ...domains] = lines.findLast(([word]) => word === 'search' || word === 'domain') ?? [];
  return domains.slice(0, DOMAINS_MAX).map((domain) => `.${domain}`);
}

async function linesOf(path: string): Promise<string[][]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.split('\n').map((line) => line.replace(/#.*/, '').trim().split(/\s+/));
}
