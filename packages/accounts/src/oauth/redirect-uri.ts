/**
 * Whether a client registered this redirect URI: character by character (OAuth 2.1 §2.3.1), except that a native app,
 * which is a public client, listens on any port of the loopback address (RFC 8252 §7.3).
 */
export function isRegisteredRedirect(
  { redirectUris, isPublic }: { redirectUris: readonly string[]; isPublic: boolean },
  given: string,
): boolean {
  if (redirectUris.includes(given)) return true;
  const asked = isPublic ? LOOPBACK.exec(given) : null;
  if (asked === null || Number(asked[2] ?? 0) > PORT_MAX) return false;
  return redirectUris.some((registered) => {
    const known = LOOPBACK.exec(registered);
    return known !== null && known[1] === asked[1] && known[3] === asked[3];
  });
}

const PORT_MAX = 65_535;

/** Host, port and the rest of a URI of the loopback address, without user information. */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::([1-9]\d{0,4}))?(\/[^\s#]*)?$/;

/** Whether any program on the user's device may receive what is sent there: to the loopback address, or a private scheme. */
export function isOnDevice(redirectUri: string): boolean {
  return !redirectUri.startsWith('https:');
}

/** The redirect URI with parameters added to its query (RFC 6749 §4.1.2). */
export function redirectTo(redirectUri: string, parameters: Record<string, string | undefined>): string {
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${new URLSearchParams(given).toString()}`;
}
