import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';

export const consoleOptions = route({
  method: 'get',
  path: '/console/options',
  operationId: 'getConsoleOptions',
  tag: 'Console',
  summary: 'Get what the sign-in of the console needs to know',
  access: 'public',
  response: Type.Object({
    SingleSession: Type.Boolean({ description: 'Whether a login ends the earlier sessions of the account' }),
    Passkeys: Type.Boolean({ description: 'Whether accounts can log in with a passkey' }),
    PublicUrl: Type.String({ description: 'Where the account pages are' }),
  }),
  handler: ({ deps: { settings, publicUrl } }) => ({
    SingleSession: settings.SINGLE_SESSION,
    Passkeys: false,
    PublicUrl: publicUrl,
  }),
});
