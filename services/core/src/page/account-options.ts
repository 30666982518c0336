import { isSingleSession } from '@gatehouse/accounts';
import { Enum, Optional, Type } from '@gatehouse/schema';
import { route } from '../deps.ts';

const Url = (description: string) => Optional.String({ description });

export const accountOptions = route('GET /account/options', {
  operationId: 'getAccountOptions',
  tag: 'Account',
  summary: 'Get the options for account pages',
  description:
    'The rules for passwords and registration, the ways to log in, and where to go afterwards. Contains no data ' +
    'about accounts.',
  access: 'public',
  query: Type.Object({
    returnUrl: Optional.String({
      maxLength: 1024,
      description: 'The URL to return to; the response repeats it if it is in `RETURN_URLS`',
    }),
  }),
  response: Type.Object({
    PasswordMinLength: Type.Integer({ description: 'The minimum length of a new password' }),
    SingleSession: Type.Boolean({ description: 'Whether a login ends earlier sessions of the account' }),
    Registration: Enum(['open', 'closed']),
    Passkeys: Type.Boolean({ description: 'Whether accounts can log in with a passkey' }),
    EmailLogin: Enum(['off', 'guests', 'users'], {
      description: 'Who can log in with a mailed code: nobody, guests, or guests and users',
    }),
    Providers: Type.Array(
      Type.Object(
        {
          Id: Type.String(),
          Name: Type.String({ description: 'The display name of the identity provider' }),
          LoginUrl: Type.String({
            description: 'The URL at which a browser starts single sign-on; accepts `returnUrl`',
          }),
        },
        { title: 'IdentityProvider' },
      ),
    ),
    Locales: Type.Array(Type.String(), { description: 'The languages of pages and emails' }),
    SupportUrl: Url('The URL of the support page'),
    AppUrl: Url('The app to continue to'),
    ContentUrl: Url('The URL of content, with `{ContentDefinitionId}` as the placeholder for its ID'),
    ReturnUrl: Url('The given `returnUrl`, only if it is in `RETURN_URLS`'),
  }),
  headers: { fixed: { 'Cache-Control': 'public, max-age=60' } },
  handler: ({ query, deps: { pages, passkeys, settings, slots, selfRegistration } }) => ({
    PasswordMinLength: settings.PASSWORD_MIN_LENGTH,
    SingleSession: isSingleSession(settings, slots),
    Registration: selfRegistration,
    Passkeys: passkeys !== undefined,
    EmailLogin: settings.EMAIL_LOGIN,
    Providers: pages.providers,
    Locales: pages.locales,
    ...pages.addresses,
    // The list is not sent: it names every app of the installation. Compared as text, as a browser that is redirected
    // elsewhere would pass on its secrets.
    ...(query.returnUrl !== undefined &&
      pages.returnUrls.includes(query.returnUrl) && { ReturnUrl: query.returnUrl }),
  }),
});
