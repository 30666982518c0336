import { handOverToConsole } from '@gatehouse/accounts';
import { browserSiteFor } from '@gatehouse/http';
import { CONSOLE_PATHS, Type } from '@gatehouse/schema';
import { route } from '../deps.ts';

export const postConsoleHandover = route({
  method: 'post',
  path: '/console/handover',
  operationId: 'handOverToConsole',
  tag: 'Console',
  summary: 'Open the console in the same session',
  description:
    'For administrators’ apps: open `Url` in a browser, and the console continues this session without another ' +
    'login, until the access token of this request expires. The code after the `#` works once, within a minute. ' +
    'Requires an access token: a browser session cannot be handed over.',
  access: 'admin session',
  recent: { never: 'the console in the same session has no more rights' },
  response: Type.Object({
    Url: Type.String({ description: 'The address to open, with `#HandoverCode=…`' }),
    ExpiresAt: Type.String({ format: 'date-time' }),
  }),
  errors: ['forbidden'],
  handler: async ({ caller, deps, request, refuse }) => {
    // An injected script must not be able to extract the session from its HttpOnly cookie.
    if (caller.via !== 'bearer') throw refuse('forbidden', 'A browser’s session cannot be handed over');
    const { origin } = browserSiteFor(deps.browser.sites, 'console');
    const created = await handOverToConsole(deps, caller, request);
    if (created === undefined) throw refuse('forbidden', 'The session has ended');
    const { code, expiresAt } = created;
    return { Url: `${origin}${CONSOLE_PATHS[0]}#HandoverCode=${code}`, ExpiresAt: expiresAt.toISOString() };
  },
});
