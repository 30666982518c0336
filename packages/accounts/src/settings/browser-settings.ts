import { Type } from '@gatehouse/schema';

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
