import { usePageData } from '../api/page-data.ts';
import { useText } from '../locale/locale.ts';
import { isAtAddress } from './passkey.ts';

/**
 * Says on a page at an IP address where passkeys work: at the configured address, and at none that is made up of where the page
 * happens to be. Nothing on pages at a name.
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

/** This very page at its configured address, unless that is an IP address, too. */
function sameAt(url: string | undefined): string | undefined {
  if (url === undefined || isAtAddress(new URL(url).hostname)) return undefined;
  return `${url.replace(/\/$/, '')}${location.pathname}`;
}
