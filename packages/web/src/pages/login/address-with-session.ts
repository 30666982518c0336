import { call } from '../../ui/api/api.ts';
import type { Return } from './destination.ts';

/**
 * The address of an app on another origin, with a code after the `#` that its server may exchange for this session
 * (docs/browser-sessions.md). Returned unchanged if the service does not allow it or returns no code. An address with
 * an app's own URL scheme gets no code, because any app on the device may register that scheme (RFC 8252 §7.1). The app's
 * `state` comes back to it, and its `codeChallenge` ties the code to its server.
 *
 * @param allowed the address, if the service allows it.
 */
export async function addressWithSession(
  destination: string,
  allowed: string | undefined,
  { state, codeChallenge }: Return,
): Promise<string> {
  if (destination !== allowed || !/^https?:/i.test(destination)) return destination;
  if (new URL(destination).origin === location.origin) return destination;
  const result = await call<{ Url: string }>('POST', '/account/handover', {
    ReturnUrl: destination,
    State: state,
    CodeChallenge: codeChallenge,
  });
  return result.ok ? result.value.Url : destination;
}
