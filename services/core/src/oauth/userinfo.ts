import { readUserinfo } from '@gatehouse/accounts';
import { bearerToken } from '@gatehouse/auth-core';
import { form, invalidRequest, refusedCaller, SESSION_REFUSALS, type Refuse } from '@gatehouse/http';
import { Type, type Static } from '@gatehouse/schema';
import { route, type Deps } from '../deps.ts';

const Claims = Type.Object(
  {
    sub: Type.String({ description: 'The account ID' }),
    email: Type.Optional(Type.String({ description: 'With the scope `email`' })),
    email_verified: Type.Optional(Type.Boolean({ description: 'With the scope `email`' })),
    name: Type.Optional(Type.String({ description: 'With the scope `profile`' })),
    locale: Type.Optional(Type.String({ description: 'With the scope `profile`' })),
    groups: Type.Optional(Type.Array(Type.String(), { description: 'With the scope `groups`' })),
  },
  { title: 'Userinfo' },
);

const ERRORS = [
  'token_missing',
  'token_invalid',
  'token_expired',
  ...SESSION_REFUSALS,
  'insufficient_scope',
] as const;

const common = {
  path: '/oauth/userinfo',
  tag: 'Applications',
  description:
    'Takes an access token of an application that has the scope `openid` and was not issued for another API. ' +
    'Gatehouse’s own access tokens are refused.',
  access: 'public',
  rules: { cors: 'any', errors: 'oauth' },
  errors: ERRORS,
  response: Claims,
} as const;

export const getUserinfo = route({
  ...common,
  method: 'get',
  operationId: 'getUserinfo',
  summary: 'Get the claims about the signed-in user (OpenID Connect)',
  handler: ({ deps, request, refuse }) => claimsFor(deps, bearerToken(request.headers.authorization), refuse),
});

export const postUserinfo = route({
  ...common,
  method: 'post',
  operationId: 'postUserinfo',
  summary: 'Get the claims about the signed-in user, with the token in the header or in the form',
  body: form({
    access_token: Type.Optional(
      Type.String({ maxLength: 8192, description: 'The access token, if not in the header' }),
    ),
  }),
  handler: ({ deps, request, body: { access_token: inForm }, refuse }) => {
    const { authorization } = request.headers;
    if (authorization !== undefined && inForm !== undefined)
      throw invalidRequest('The access token is given twice');
    return claimsFor(deps, inForm ?? bearerToken(authorization), refuse);
  },
});

async function claimsFor(
  deps: Deps,
  token: ReturnType<typeof bearerToken>,
  refuse: Refuse<(typeof ERRORS)[number]>,
): Promise<Static<typeof Claims>> {
  if (typeof token !== 'string') throw refusedCaller(refuse, token);
  const found = await readUserinfo(deps, token);
  switch (found.kind) {
    case 'claims':
      return found.claims;
    case 'forbidden':
      throw refuse('insufficient_scope', 'The access token is not for this');
    case 'refused':
      throw refusedCaller(refuse, found);
  }
}
