import { usePageData } from '../api/page-data.ts';
import { useText } from '../locale/locale.ts';
import { isAtAddress } from './passkey.ts';

/**
 * On a page at an IP address: says that passkeys need a host name, and links to the configured URL. The link is never
 * built from the current address. Renders nothing if the page has a host name.
 */
export function AddressHint() {
  const text = useText();
  const { PublicUrl, ConsoleUrl } = usePageData();
  if (!isAtAddress()) return null;
  const named = sameAt(ConsoleUrl ?? PublicUrl);
  return (
    <p>
      {text('passkey.address')}{' '}
      {named !== undefined && (
        <a href={`${named}${location.search}`}>{text('passkey.address.open', { address: named })}</a>
      )}
    </p>
  );
}

/** The URL of this page at its configured address, unless that is an IP address, too. */
function sameAt(url: string | undefined): string | undefined {
  if (url === undefined || isAtAddress(new URL(url).hostname)) return undefined;
  return `${url.replace(/\/$/, '')}${location.pathname}`;
}
