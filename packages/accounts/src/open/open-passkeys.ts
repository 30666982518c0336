import { createPasskeys, readPasskeySite, type Passkeys } from '@gatehouse/auth-core';
import type { Log } from '@gatehouse/runtime';
import type { Static, TObject } from '@gatehouse/schema';
import type { AccountSettings } from '../settings/account-settings.ts';
import type { passkeySettings } from '../settings/browser-settings.ts';

type Settings = Readonly<Static<TObject<ReturnType<typeof passkeySettings>>>> &
  Pick<AccountSettings, 'TWO_FACTOR_ISSUER'>;

/**
 * Checks passkeys for a service; `undefined`, with a log entry, if browsers would not allow passkeys.
 *
 * @throws {ConfigError} saying what is wrong.
 */
export function openPasskeys(
  settings: Settings,
  urls: { pagesUrl: string; consoleUrl: string | undefined },
  log: Log,
): Passkeys | undefined {
  const reading = readPasskeySite({
    rpId: settings.PASSKEY_RP_ID,
    rpName: settings.TWO_FACTOR_ISSUER,
    origins: settings.PASSKEY_ORIGINS,
    ...urls,
  });
  if (reading.kind === 'on') return createPasskeys(reading.site);
  log.warn('passkeys are disabled: browsers do not create them for an IP address, set PASSKEY_RP_ID', {
    host: reading.host,
  });
  return undefined;
}
