import type { OAuthCore, TestClient } from './testing.ts';

/** All scopes that clients of the tests have. */
export const ALL_SCOPES = 'openid profile email groups offline_access';

/** Calls with tokens of `client`. */
export function tokenCalls(core: OAuthCore, client: TestClient) {
  const send = (path: string, by: { id: string; secret: string }, form: Record<string, string>) =>
    core.http
      .post(path)
      .set('authorization', `Basic ${Buffer.from(`${by.id}:${by.secret}`).toString('base64')}`)
      .type('form')
      .send(form);
  return {
    send,
    userinfo: (token: string) => core.http.get('/oauth/userinfo').set(core.bearer(token)),
    introspect: async (token: string, by: { id: string; secret: string } = client) => {
      const answer = await send('/oauth/introspect', by, { token }).expect(200);
      return answer.body as Record<string, unknown> & { active: boolean };
    },
    /** Somebody who signs in to a client, and its tokens. */
    signedIn: async (by = client, more: Record<string, string> = {}) => {
      const who = await core.signIn();
      return { who, ...(await core.open(by, who, { scope: ALL_SCOPES, ...more })) };
    },
  };
}
