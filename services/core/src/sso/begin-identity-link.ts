import { randomBytes } from 'node:crypto';
import { beginIdentityLink } from '@gatehouse/accounts';
import { browserSiteFor } from '@gatehouse/http';
import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { OWNER_PROOF_ERRORS, OwnerProofBody, readOwnerProof, proofError } from '../owner-proof.ts';

export const beginLink = route({
  method: 'post',
  path: '/account/identity/:provider',
  operationId: 'beginIdentityLink',
  tag: 'Single sign-on',
  summary: 'Begin to link an identity of a provider to your account',
  description:
    'Requires a proof of identity, like `POST /account/passkey/options`. Open `Url` in the same browser: after ' +
    'the sign-on it is redirected to `/profile/security` with `IdentityCode` or `SignOnError`, and `State`, ' +
    'after the `#`. Compare `State`, then send the code to `POST /account/identity` in the same session.',
  access: 'session',
  params: Type.Object({ provider: Type.String({ maxLength: 64 }) }),
  body: OwnerProofBody,
  response: Type.Object({
    Url: Type.String({ description: 'The URL at which the sign-on begins' }),
    State: Type.String({ description: 'A random value that is returned with the code' }),
    ExpiresAt: Type.String({
      format: 'date-time',
      description: 'The time by which the sign-on must have returned',
    }),
  }),
  errors: [...OWNER_PROOF_ERRORS, 'not_found', 'forbidden'],
  handler: async ({ params, body, caller, deps, request, refuse }) => {
    browserSiteFor(deps.browser.sites, 'pages');
    const provider = deps.pages.providers.find(({ Id }) => Id === params.provider);
    if (provider === undefined) throw refuse('not_found', 'Unknown identity provider');
    const shows = { ...readOwnerProof(body, caller, request), provider: provider.Id };
    const outcome = await beginIdentityLink(deps, shows, request);
    switch (outcome.kind) {
      case 'begun': {
        const State = randomBytes(32).toString('base64url');
        const query = new URLSearchParams({ link: outcome.ticket, state: State });
        const Url = `${provider.LoginUrl}?${query.toString()}`;
        return { Url, State, ExpiresAt: outcome.expiresAt.toISOString() };
      }
      case 'guest':
        throw refuse('forbidden', 'Guests log in with their password');
      case 'service':
        throw refuse('forbidden', 'Service accounts cannot use single sign-on');
      case 'throttled':
      case 'unproven':
      case 'wrong':
        throw proofError(refuse, outcome);
    }
  },
});
