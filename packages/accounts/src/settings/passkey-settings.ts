import { setting } from '@gatehouse/runtime';
import { Type } from '@gatehouse/schema';

/** Which passkeys are accepted, for services that log people in: Core and Admin. */
export function passkeySettings() {
  return {
    PASSKEY_RP_ID: Type.Optional(
      Type.String({
        description: 'The domain of passkeys; the host of PUBLIC_URL by default',
      }),
    ),
    PASSKEY_ORIGINS: setting(
      '',
      'Origins, with commas, where passkeys may be used; those of PUBLIC_URL and ADMIN_URL by default',
    ),
  };
}
