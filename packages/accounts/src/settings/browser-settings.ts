import { Type } from '@gatehouse/schema';

/** Where browsers reach the account pages, for services that serve these browsers or send others there. */
export function pagesSettings() {
  return {
    PUBLIC_URL: Type.Optional(browserAddress('Where browsers reach the account pages; ISSUER by default')),
  };
}

/** Where browsers of administrators reach Admin, for services that serve them: Core and Admin. */
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
