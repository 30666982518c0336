import { logoutByProvider } from '@gatehouse/accounts';
import { form, invalidRequest } from '@gatehouse/http';
import { Unavailable } from '@gatehouse/runtime';
import { Type } from '@gatehouse/schema';
import { route } from '../../deps.ts';

export const backchannelLogout = route({
  method: 'post',
  path: '/auth/:provider/backchannel-logout',
  operationId: 'endSessionsByProvider',
  tag: 'Single sign-on',
  summary: 'Receive the logout token of an identity provider',
  description:
    'For identity providers (OpenID Connect Back-Channel Logout 1.0). Ends the sessions that the token ' +
    'identifies before the response is sent. A token has an effect only once.',
  access: 'public',
  params: Type.Object({ provider: Type.String({ maxLength: 64 }) }),
  body: form({
    logout_token: Type.String({
      maxLength: 16_384,
      pattern: /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/.source,
      examples: ['eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJzb21lYm9keSJ9.c2lnbmF0dXJl'],
    }),
  }),
  status: 200,
  errors: ['not_found', 'too_many_requests'],
  handler: async ({ params, body, deps, request, refuse }) => {
    const provider = deps.sso.find(params.provider);
    if (provider === undefined) throw refuse('not_found');
    const { id, issuer } = provider.settings;
    const check = await provider.readLogoutToken(body.logout_token, deps.now());
    if (check.kind === 'too_many') {
      throw refuse('too_many_requests', 'The keys of this provider were fetched too often', {
        retryAfterSeconds: check.retryAfterSeconds,
      });
    }
    if (check.kind === 'unavailable') throw new Unavailable(`the identity provider ${id}`);
    const refused = (refusal: string): Error => {
      request.addToLog({ provider: id, refusal });
      return invalidRequest(undefined, {
        errors: [
          { pointer: '/logout_token', message: 'is no logout token of this provider', code: 'malformed' },
        ],
      });
    };
    if (check.kind === 'invalid') throw refused(check.reason);
    const outcome = await logoutByProvider(deps, { provider: id, issuer, ...check.token }, request);
    if (outcome.kind === 'used') throw refused('used');
    request.addToLog({ provider: id, sessionsEnded: outcome.sessions });
    return undefined;
  },
});
