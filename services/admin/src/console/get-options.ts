import { isSingleSession } from '@gatehouse/accounts';
import { VERSION } from '@gatehouse/runtime';
import { Optional, Type } from '@gatehouse/schema';
import { LANGUAGES } from '@gatehouse/web';
import { route } from '../deps.ts';

export const consoleOptions = route('GET /console/options', {
  operationId: 'getConsoleOptions',
  tag: 'Console',
  summary: 'Get the options for signing in to the console',
  access: 'public',
  response: Type.Object({
    Version: Type.String({ description: 'The running release' }),
    SingleSession: Type.Boolean({ description: 'Whether a login ends earlier sessions of the account' }),
    Passkeys: Type.Boolean({ description: 'Whether accounts can log in with a passkey' }),
    Providers: Type.Array(
      Type.Object({ Id: Type.String(), Name: Type.String() }, { title: 'ConsoleProvider' }),
      { description: 'The configured identity providers' },
    ),
    SignOnUrl: Optional.String({
      description:
        'The URL of the console to which identity providers redirect browsers, if any are configured',
    }),
    Locales: Type.Array(Type.String(), { description: 'The languages of the console' }),
    PublicUrl: Type.String({ description: 'The URL of the account pages' }),
  }),
  handler: ({ deps: { passkeys, settings, slots, publicUrl, sso } }) => ({
    Version: VERSION,
    SingleSession: isSingleSession(settings, slots),
    Passkeys: passkeys !== undefined,
    Providers: (sso.pages.console === undefined ? [] : sso.providers).map(({ settings: { id, name } }) => ({
      Id: id,
      Name: name ?? id,
    })),
    ...(sso.pages.console !== undefined && sso.providers.length > 0 && { SignOnUrl: sso.pages.console }),
    Locales: [...LANGUAGES],
    PublicUrl: publicUrl,
  }),
});
