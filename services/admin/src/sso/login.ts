import { invalidRequest, reply } from '@gatehouse/http';
import { Unavailable } from '@gatehouse/runtime';
import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';

export const ssoLogin = route({
  method: 'get',
  path: '/auth/:provider/login',
  operationId: 'startSignOn',
  tag: 'Single sign-on',
  summary: 'Start single sign-on in the browser',
  access: 'public',
  params: Type.Object({ provider: Type.String() }),
  query: Type.Object({
    returnUrl: Type.Optional(
      Type.String({
        description: 'The URL to return to; must be one of the return URLs of the provider',
      }),
    ),
  }),
  status: 303,
  responseHeaders: {
    Location: 'The authorization URL of the identity provider',
    'Set-Cookie': 'Binds the login to this browser',
  },
  errors: ['not_found'],
  handler: async ({ params, query, deps, request, refuse }) => {
    const provider = deps.sso.find(params.provider);
    if (provider === undefined) throw refuse('not_found');
    const { id, returnUrls } = provider.settings;
    const returnUrl = query.returnUrl ?? returnUrls[0];
    // Compared as text: whoever may choose anything else of the address may have the tokens sent elsewhere.
    if (!returnUrls.includes(returnUrl)) {
      throw invalidRequest(undefined, {
        errors: [
          {
            pointer: '/query/returnUrl',
            message: 'must be a return URL of this provider',
            code: 'unknown_value',
          },
        ],
      });
    }
    const attempt = deps.sso.attempts.begin(returnUrl);
    const location = await provider.authorizationUrl(attempt);
    if (location === undefined) throw new Unavailable(`the identity provider ${id}`);
    const { callbackUrl } = provider;
    const sent = request.headers.cookie;
    const cookies = deps.sso.attempts.cookies(attempt, { providerId: id, callbackUrl, sent });
    return reply({ status: 303, headers: { Location: location, 'Set-Cookie': cookies } });
  },
});
