import { authorize, confirmSession, ownSession, type Authorization } from '@gatehouse/accounts';
import {
  browserCookieOf,
  browserSiteForLogin,
  refuseCrossSite,
  tooManyFailures,
  type Refuse,
  type RequestFacts,
} from '@gatehouse/http';
import { Enum, Type, type Static } from '@gatehouse/schema';
import { route, type Deps } from '../deps.ts';
import { OWNER_PROOF_ERRORS, OwnerProofBody, proofError, readOwnerProof } from '../owner-proof.ts';

const AuthorizationAnswer = Type.Object(
  {
    Kind: Enum(['Redirect', 'Login', 'Consent', 'Refused']),
    Location: Type.Optional(Type.String({ description: '`Redirect`: where the browser goes' })),
    Prompt: Type.Optional(
      Enum(['Confirm'], {
        description: '`Login`: the session stays, and its owner confirms their identity with a proof',
      }),
    ),
    LoginHint: Type.Optional(Type.String({ description: '`Login`: the email that the application expects' })),
    SessionTag: Type.Optional(Type.String({ description: '`Login`: the tag of the session to open' })),
    Client: Type.Optional(
      Type.Object(
        { Name: Type.String({ description: 'The name of the application' }) },
        { title: 'AuthorizedClient', description: '`Consent`: who asks' },
      ),
    ),
    Scopes: Type.Optional(Type.Array(Type.String(), { description: '`Consent`: what it asks for' })),
    Email: Type.Optional(Type.String({ description: '`Consent`: whose account it is' })),
    ConsentTo: Type.Optional(
      Type.String({ description: '`Consent`: what the user is asked, to be sent with the answer' }),
    ),
    Since: Type.Optional(
      Type.Number({ description: 'To be sent with the next call for the same request; epoch seconds' }),
    ),
    Code: Type.Optional(
      Enum(['invalid_request', 'unknown_client', 'redirect_uri_missing', 'redirect_uri_mismatch'], {
        description: '`Refused`: why the user must not be sent back to the application',
      }),
    ),
  },
  { title: 'Authorization' },
);

export const postAuthorization = route({
  method: 'post',
  path: '/oauth/authorization',
  operationId: 'authorizeClient',
  tag: 'Applications',
  summary: 'Decide about a sign-in to an application',
  description:
    'For the page `/oauth/authorize`, with the query string that an application opened it with. ' +
    'The session is that of the browser’s cookie; without one, the answer is `Login`.',
  access: 'public',
  body: Type.Object({
    Request: Type.String({
      maxLength: 8000,
      description: 'The query string of the page, without the question mark',
      examples: ['client_id=0198f3c2-7d6e-7b1a-9c55-3f0b5a1c2d3e&response_type=code'],
    }),
    Consent: Type.Optional(Enum(['granted', 'denied'], { description: 'What the user has answered' })),
    ConsentTo: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          'From the question that the user has answered: if somebody else has signed in since, it is asked again',
      }),
    ),
    Since: Type.Optional(Type.Number({ description: 'From the first answer to this request' })),
    ...OwnerProofBody.properties,
  }),
  response: AuthorizationAnswer,
  errors: [...OWNER_PROOF_ERRORS, 'cross_site'],
  handler: async ({ body, deps, request, refuse }) => {
    const session = await sessionOf(deps, request);
    if (session !== undefined) {
      request.addToLog({ accountId: session.accountId, sessionId: session.sessionId });
      if (hasProof(body)) await confirm(deps, body, session, request, refuse);
    }
    const { Request: query, Consent: consent, ConsentTo: consentTo, Since: since } = body;
    const decided = await authorize(deps, { query, session, consent, consentTo, since }, request);
    if (decided.kind === 'throttled') throw tooManyFailures(refuse, decided);
    request.addToLog({ authorization: decided.kind, ...('error' in decided && { problem: decided.error }) });
    return answerOf(decided);
  },
});

/** The browser's session, if it is active. Only our own pages may act for it. */
async function sessionOf({ browser, authenticate }: Deps, request: RequestFacts) {
  const site = browserSiteForLogin(browser.sites, 'pages', request);
  const cookie = browserCookieOf(request, [site]);
  if (cookie === undefined) return undefined;
  refuseCrossSite(request, site);
  const caller = await authenticate(undefined, cookie, request.address);
  return caller.kind === 'session' ? caller : undefined;
}

type Body = Static<typeof OwnerProofBody>;

function hasProof({
  Password: password,
  TwoFactorCode: code,
  PasskeyToken: passkey,
  Credential: shown,
}: Body) {
  return [password, code, passkey, shown].some((proof) => proof !== undefined);
}

/** Confirms the owner of the session anew (`prompt=login`, `max_age`, a session that was handed over). */
async function confirm(
  deps: Deps,
  body: Body,
  caller: NonNullable<Awaited<ReturnType<typeof sessionOf>>>,
  request: RequestFacts,
  refuse: Refuse<(typeof OWNER_PROOF_ERRORS)[number]>,
): Promise<void> {
  const { password, code, passkey } = readOwnerProof(body, caller, request);
  const own = {
    ...ownSession(caller),
    purpose: 'application' as const,
    addressGroup: request.addressGroup,
  };
  const shown =
    passkey !== undefined ? { passkey } : code !== undefined ? { code } : { password: password ?? '' };
  const confirmed = await confirmSession(deps, { ...own, ...shown }, request);
  if (confirmed.kind !== 'confirmed') throw proofError(refuse, confirmed);
}

function answerOf(
  decided: Exclude<Authorization, { kind: 'throttled' }>,
): Static<typeof AuthorizationAnswer> {
  switch (decided.kind) {
    case 'redirect':
      return { Kind: 'Redirect', Location: decided.location };
    case 'login': {
      const { confirms, loginHint, sessionTag, since } = decided;
      return {
        ...{ Kind: 'Login', Since: since },
        ...(confirms && { Prompt: 'Confirm' }),
        ...(loginHint !== undefined && { LoginHint: loginHint }),
        ...(sessionTag !== undefined && { SessionTag: sessionTag }),
      };
    }
    case 'consent': {
      const { client, scopes, email, since, consentTo } = decided;
      const question = { Scopes: scopes, Email: email, ConsentTo: consentTo };
      return { Kind: 'Consent', Client: { Name: client.name }, ...question, Since: since };
    }
    case 'refused':
      return { Kind: 'Refused', Code: decided.code };
  }
}
