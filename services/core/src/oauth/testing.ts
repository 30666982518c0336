import { createHash, randomBytes } from 'node:crypto';
import { newClient, REDIRECT_URI, someAddress, type AccountRef } from '@gatehouse/accounts/testing';
import type { OAuthClientFields } from '@gatehouse/db';
import { during, SAME_ORIGIN, startCoreWithSessions, type CoreWithSessions } from '../testing/index.ts';

export { SAME_ORIGIN };

export function newPkce() {
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  return { verifier, asked: { code_challenge: challenge, code_challenge_method: 'S256' } };
}

export type OAuthCore = Awaited<ReturnType<typeof startOAuthCore>>;
export type TestClient = Awaited<ReturnType<typeof newClient>>;

/** The claims of a JWT, which is not verified. */
export function claimsIn(token: string): Record<string, unknown> {
  const claims = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
  return JSON.parse(claims) as Record<string, unknown>;
}

/** An ID token as if its key had been retired for long. */
export function underRetiredKey(idToken: string): string {
  const [, ...rest] = idToken.split('.');
  const header = { alg: 'RS256', typ: 'JWT', kid: 'retired' };
  return [Buffer.from(JSON.stringify(header)).toString('base64url'), ...rest].join('.');
}

interface Tokens {
  access_token: string;
  refresh_token: string;
  id_token: string;
  scope: string;
  error?: string;
}

export async function startOAuthCore(...options: Parameters<typeof startCoreWithSessions>) {
  const core = await startCoreWithSessions(...options);
  const browser = browserOf(core);
  const sendToken = (
    client: Credentials | undefined,
    form: Record<string, string>,
    headers: Record<string, string> = {},
  ) => {
    const isPublic = client?.secret === '';
    return core.http
      .post('/oauth/token')
      .set({ 'x-forwarded-for': someAddress(), ...(client && !isPublic && basicOf(client)), ...headers })
      .type('form')
      .send({ ...form, ...(isPublic && { client_id: client.id }) });
  };
  const token = async (...call: Parameters<typeof sendToken>) => {
    const { status, body, headers } = await sendToken(...call);
    return { status, body: body as Tokens, headers: headers as Record<string, string> };
  };
  return {
    ...core,
    ...browser,
    ...{ token, sendToken },
    userinfo: (accessToken: string) => core.http.get('/oauth/userinfo').set(core.bearer(accessToken)),
    newClient: (overrides?: Partial<OAuthClientFields>) => newClient(core.app, overrides),
    refresh: (client: Credentials, refreshToken: string, more: Record<string, string> = {}) =>
      token(client, { grant_type: 'refresh_token', refresh_token: refreshToken, ...more }),
    open: async (client: TestClient, who: { cookie: string }, more: Record<string, string> = {}) =>
      (await token(client, await browser.newCode(client, who, more))).body,
  };
}

/** Core of a file's own with an application, and somebody who is signed in to a browser, new in each test. */
export function useOAuth(
  fields?: Partial<OAuthClientFields>,
  settings?: Parameters<typeof startCoreWithSessions>[0],
) {
  const core = during(() => startOAuthCore(settings));
  const client = {} as TestClient; // filled before the tests, as is the person
  const ann = {} as Awaited<ReturnType<OAuthCore['signIn']>>;
  before(async () => Object.assign(client, await core.newClient(fields)));
  beforeEach(async () => void Object.assign(ann, await core.signIn()));
  /** The request of a client with PKCE, by a browser in which somebody is signed in, or nobody (`null`). */
  const ask = (
    more: Record<string, string> = {},
    fieldsOfPage: object = {},
    who: { cookie: string } | null = ann,
    of: { id: string } = client,
  ) => core.authorize(who ?? undefined, { ...core.requestOf(of, newPkce().asked), ...more }, fieldsOfPage);
  const errorOf = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).back?.get('error');
  return { core, client, ann, ask, errorOf };
}

type Credentials = Pick<TestClient, 'id' | 'secret'>;

export function basicOf({ id, secret }: Credentials) {
  return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
}

function browserOf(core: CoreWithSessions) {
  const address = someAddress();
  /** The call of the page with a request, and further fields of the body. */
  const sendAuthorization = (
    who: { cookie: string } | undefined,
    parameters: Record<string, string> | string,
    fields: object = {},
    headers: Record<string, string> = SAME_ORIGIN,
  ) => {
    const query = typeof parameters === 'string' ? parameters : new URLSearchParams(parameters).toString();
    return core.http
      .post('/oauth/authorization')
      .set({ 'x-forwarded-for': address, ...headers, ...(who && { cookie: who.cookie }) })
      .send({ Request: query, ...fields });
  };
  const authorize = async (...asked: Parameters<typeof sendAuthorization>) => {
    const { status, body } = await sendAuthorization(...asked);
    const answer = body as Record<string, string | undefined> & { Since?: number };
    const back = answer['Location'] === undefined ? undefined : new URL(answer['Location']).searchParams;
    return { status, body: answer, back };
  };

  const requestOf = (client: { id: string }, more: Record<string, string> = {}) => ({
    ...{ client_id: client.id, redirect_uri: REDIRECT_URI, response_type: 'code' },
    scope: 'openid email offline_access',
    ...more,
  });
  return {
    sendAuthorization,
    authorize,
    requestOf,
    signIn: async (given?: AccountRef) => {
      const person = given ?? (await core.newAccount());
      const { sessionId, Token } = await core.login(person);
      const value = core.app.browser.sessions.issue('pages', { accountId: person.id, sessionId });
      return { ...person, sessionId, Token, cookie: `__Host-gatehouse=${value}` };
    },
    newCode: async (client: { id: string }, who: { cookie: string }, more: Record<string, string> = {}) => {
      const pkce = newPkce();
      const { back, body } = await authorize(who, requestOf(client, { ...pkce.asked, ...more }));
      const code = back?.get('code');
      if (typeof code !== 'string') throw new Error(`no code: ${JSON.stringify(body)}`);
      const own = { code, code_verifier: pkce.verifier };
      return { grant_type: 'authorization_code', redirect_uri: REDIRECT_URI, ...own };
    },
  };
}
