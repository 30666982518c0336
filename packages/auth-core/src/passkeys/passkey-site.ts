import { isIP } from 'node:net';
import { ConfigError, listed } from '@gatehouse/runtime';

/** The relying party, and where its passkeys may be used (WebAuthn Level 3, §5.1.2 and §5.11). */
export interface PasskeySite {
  /** The relying party's id: the domain that passkeys are permanently bound to. */
  rpId: string;
  rpName: string;
  /** The origins of the pages and Android apps that may use them, compared exactly. */
  origins: readonly string[];
}

/** Where passkeys are used; `off` at an IP address, for which browsers create none. */
export type PasskeySiteReading = { kind: 'on'; site: PasskeySite } | { kind: 'off'; host: string };

/** By default they are bound to the host of the account pages. @throws {ConfigError} that says what is wrong. */
export function readPasskeySite(options: {
  rpId: string | undefined;
  rpName: string;
  /** Separated by commas; without a page, those of the default are added. */
  origins: string;
  pagesUrl: string;
  consoleUrl: string | undefined;
}): PasskeySiteReading {
  const { rpId, rpName, pagesUrl, consoleUrl } = options;
  const host = new URL(pagesUrl).hostname;
  if (rpId !== undefined && !DOMAIN.test(rpId))
    throw new ConfigError('PASSKEY_RP_ID must be a domain in lower case, such as example.com');
  if (rpId === undefined && (isIP(host) !== 0 || host.startsWith('['))) return { kind: 'off', host };
  const named = readOrigins(options.origins);
  const urls = consoleUrl === undefined ? [pagesUrl] : [pagesUrl, consoleUrl];
  const isPageNamed = named.some((origin) => !ANDROID_APP.test(origin));
  const origins = isPageNamed ? named : [...urls.map(originByName), ...named];
  return { kind: 'on', site: { rpId: rpId ?? host, rpName, origins: [...new Set(origins)] } };
}

/** Labels of letters, digits and hyphens. The last one is not a number, as that would be an IP address. */
const DOMAIN =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Replaces a loopback address by `localhost`, as passkeys work only with a host name. */
export function originByName(url: string): string {
  const { hostname, origin, port, protocol } = new URL(url);
  const isLoopback = hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'));
  return isLoopback ? new URL(`${protocol}//localhost:${port}`).origin : origin;
}

/** What Android names an app: the SHA-256 of its signing certificate in base64url. */
const ANDROID_APP = /^android:apk-key-hash:[\w-]{42}[AEIMQUYcgkosw048]$/;

function readOrigins(list: string): string[] {
  const origins = listed(list);
  for (const origin of origins) {
    if (URL.canParse(origin) && new URL(origin).origin === origin && /^https?:/.test(origin)) continue;
    if (ANDROID_APP.test(origin)) continue;
    throw new ConfigError(
      'PASSKEY_ORIGINS must be origins, as https://app.example.com, without a slash at the end, or android:apk-key-hash:… of apps, with commas',
    );
  }
  return origins;
}
