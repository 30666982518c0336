import { Optional, Type } from '@gatehouse/schema';
import { setting } from '@gatehouse/runtime';

/** The URL of the account pages, for services that serve these pages or send browsers there. */
export function pagesSettings() {
  return {
    PUBLIC_URL: Type.Optional(browserAddress('Where browsers reach the account pages; ISSUER by default')),
  };
}

/** The URL of Admin for administrators' browsers, for the services that serve them: Core and Admin. */
export function consoleSettings() {
  return {
    ADMIN_URL: Type.Optional(
      browserAddress('Where browsers reach Admin: identity providers send them back to it'),
    ),
  };
}

function browserAddress(description: string) {
  return Type.String({ format: 'uri', pattern: /^https?:\/\/[^?#]+$/.source, description });
}

/** Which passkeys are accepted, for services that log people in: Core and Admin. */
export function passkeySettings() {
  return {
    PASSKEY_RP_ID: Optional.String({
      description: 'The domain of passkeys; the host of PUBLIC_URL by default',
    }),
    PASSKEY_ORIGINS: setting(
      '',
      'Origins, with commas, where passkeys may be used; those of PUBLIC_URL and ADMIN_URL by default',
    ),
  };
}
