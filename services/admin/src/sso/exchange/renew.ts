import { renewSso } from '@gatehouse/accounts';
import { accountCondition, refusedCaller, SESSION_REFUSALS } from '@gatehouse/http';
import { Type } from '@gatehouse/schema';
import { route } from '../../deps.ts';

export const ssoRenew = route({
  method: 'post',
  path: '/api/auth/:provider/renew',
  operationId: 'renewSignOn',
  tag: 'Single sign-on',
  summary: 'Renew the access token of a single sign-on session',
  description: 'The refresh token stays the same and remains valid until the session ends.',
  access: 'public',
  params: Type.Object({ provider: Type.String({ maxLength: 64 }) }),
  body: Type.Object({ refreshToken: Type.String({ minLength: 1, maxLength: 512 }) }),
  response: Type.Object({ token: Type.String(), refreshToken: Type.String() }),
  errors: [
    'not_found',
    'token_invalid',
    ...SESSION_REFUSALS,
    'email_confirmation_pending',
    'signup_pending',
    'migration_pending',
    'new_password_required',
    'invitation_pending',
  ],
  handler: async ({ params, body: { refreshToken }, deps, request, refuse }) => {
    if (deps.sso.find(params.provider) === undefined) throw refuse('not_found');
    const renewal = await renewSso(deps, { provider: params.provider, refreshToken }, request);
    switch (renewal.kind) {
      case 'renewed':
        return { token: renewal.token, refreshToken };
      case 'condition':
        throw accountCondition(refuse, renewal.condition);
      case 'refused':
        throw refusedCaller(refuse, renewal);
    }
  },
});
