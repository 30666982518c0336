import assert from 'node:assert/strict';
import { createPublicKey, randomUUID, verify, type JsonWebKey } from 'node:crypto';
import { assertAudited } from '@gatehouse/accounts/testing';
import { routes } from '../app.ts';
import { SAME_ORIGIN, startOAuthCore, type OAuthCore, type TestClient } from './testing.ts';
import { ALL_SCOPES, tokenCalls } from './testing-tokens.ts';

describe('tokens of applications', function () {
  this.timeout(60_000);
  let core: OAuthCore;
  let client: TestClient;
  let calls: ReturnType<typeof tokenCalls>;
  before(async () => {
    core = await startOAuthCore();
    client = await core.newClient();
    calls = tokenCalls(core, client);
  });
  after(() => core.stop());

  describe('that the application revokes', () => {
    for (const kind of ['refresh_token', 'access_token'] as const) {
      it(`end by the ${kind}, with all tokens of that sign-in, and the session stays`, async () => {
        const who = await core.signIn();
        const first = await core.open(client, who, { scope: ALL_SCOPES });
        const other = await core.open(client, who, { scope: ALL_SCOPES });
        await calls.send('/oauth/revoke', client, { token: first[kind] }).expect(200, {});
        await calls.userinfo(first.access_token).expect(401);
        assert.equal((await core.refresh(client, first.refresh_token)).body.error, 'invalid_grant');
        await calls.userinfo(other.access_token).expect(200);
        await calls.send('/oauth/revoke', client, { token: first[kind] }).expect(200, {});
      });
    }

    it('are audited', async () => {
      const by = await core.newClient();
      const { who, access_token: token } = await calls.signedIn(by);
      await assertAudited(core.app, 'app.signed-out', {
        call: () => calls.send('/oauth/revoke', by, { token }),
        entry: {
          actorId: who.id,
          targetKind: 'OauthClient',
          targetId: by.id,
          details: { SessionId: who.sessionId },
        },
        secrets: [token, by.secret],
      });
    });

    it('are ended by nobody else, and the answer does not say that they exist', async () => {
      const other = await core.newClient();
      const { access_token: token, refresh_token: refreshToken } = await calls.signedIn();
      for (const one of [token, refreshToken, 'x', `${token}x`, refreshToken.slice(1)]) {
        await calls.send('/oauth/revoke', other, { token: one }).expect(200, {});
      }
      await calls.userinfo(token).expect(200);
      await calls.send('/oauth/revoke', { ...client, secret: 'wrong' }, { token }).expect(401);
      await calls.userinfo(token).expect(200);
    });

    it('can be those of a public client', async () => {
      const pub = await core.newClient({ isPublic: true });
      const { access_token: token } = await calls.signedIn(pub);
      await core.http.post('/oauth/revoke').type('form').send({ token, client_id: pub.id }).expect(200);
      await calls.userinfo(token).expect(401);
    });
  });

  describe('are told apart', () => {
    it('at every endpoint of ours, which refuses them, also in the cookie', async () => {
      const { access_token: access, id_token: id, refresh_token: refreshToken } = await calls.signedIn();
      let refused = 0;
      for (const { method, path, access: who } of routes) {
        if (who === 'public') continue;
        const url = path.replaceAll(/:\w+/g, randomUUID());
        for (const token of [access, id, refreshToken]) {
          const { status } = await core.http[method](url).set(core.bearer(token));
          assert.equal(status, 401, `${method} ${path}`);
          refused += 1;
        }
        const { status } = await core.http[method](url).set({
          ...SAME_ORIGIN,
          cookie: `__Host-gatehouse=${access}`,
        });
        assert.equal(status, 401, `${method} ${path} with a cookie`);
      }
      assert.ok(refused > 90);
    });

    it('from ours and from ID tokens, which userinfo and introspection refuse', async () => {
      const { who, id_token: id } = await calls.signedIn();
      const machine = await core.newToken();
      const { Token } = await core.login(await core.newAccount());
      for (const other of [Token, id, machine.Token, '', 'x.y.z', who.cookie]) {
        const { status } = await calls.userinfo(other);
        assert.ok(status === 401, other.slice(0, 20));
        if (other !== '') assert.deepEqual(await calls.introspect(other), { active: false });
      }
    });

    it('by applications, with the published keys', async () => {
      const { body } = await core.http.get('/.well-known/jwks.json').expect(200);
      const keys = new Map(
        (body as { keys: (JsonWebKey & { kid: string })[] }).keys.map((key) => [key.kid, key]),
      );
      for (const [alg, kty] of [
        ['RS256', 'RSA'],
        ['ES256', 'EC'],
      ] as const) {
        const { id_token: token } = await calls.signedIn(await core.newClient({ idTokenAlg: alg }));
        const [header = '', payload = '', signature = ''] = token.split('.');
        const { kid, typ } = JSON.parse(Buffer.from(header, 'base64url').toString()) as Record<
          string,
          string
        >;
        const jwk = keys.get(kid ?? '');
        assert.deepEqual([typ, jwk?.kty], ['JWT', kty]);
        const key = {
          key: createPublicKey({ format: 'jwk', key: jwk ?? {} }),
          dsaEncoding: 'ieee-p1363',
        } as const;
        assert.ok(
          verify('sha256', Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url')),
        );
      }
    });
  });
});
