import { call } from '../../ui/api/api.ts';

/**
 * The address of an app on another origin, with a code behind the `#` that its server may exchange for this session
 * (docs/browser-sessions.md); as it is, where the service has it not on its list or gives no code. An app's own scheme
 * gets none: any app of the device may claim it (RFC 8252 §7.1).
 *
 * @param allowed what the service has on its list.
 */
export async function addressWithSession(destination: string, allowed: string | undefined): Promise<string> {
  if (destination !== allowed || !/^https?:/i.test(destination)) return destination;
  if (new URL(destination).origin === location.origin) return destination;
  const result = await call<{ Url: string }>('POST', '/account/handover', { ReturnUrl: destination });
  return result.ok ? result.value.Url : destination;
}
