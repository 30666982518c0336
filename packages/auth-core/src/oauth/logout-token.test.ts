import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import { testLog } from '@gatehouse/runtime/testing';
import { publicJwks } from '../keys/keys.ts';
import { watchKeys } from '../keys/watch-keys.ts';
import {
  TEST_AUDIENCE,
  TEST_ID_TOKEN_KEYS,
  TEST_ISSUER,
  throwAwayKeySet,
  throwAwayTokens,
} from '../testing/index.ts';
import { createClientKeys } from './client-keys.ts';
import { createClientTokens } from './client-tokens.ts';

describe('a logout token', () => {
  const keys = watchKeys({ json: throwAwayKeySet(), log: testLog() });
  const idTokenKeys = watchKeys({ json: TEST_ID_TOKEN_KEYS, holds: 'idTokens', log: testLog() });
  const { signLogoutToken, verifyAccessToken, readIdTokenHint } = createClientTokens({
    keys: createClientKeys({ keys, idTokenKeys }),
    issuer: TEST_ISSUER,
    ownAudience: TEST_AUDIENCE,
    lifetimeSeconds: 3600,
    leewaySeconds: 60,
  });
  const own = throwAwayTokens({ keys });
  const published = createLocalJWKSet(publicJwks(idTokenKeys.current()));

  for (const alg of ['RS256', 'ES256'] as const) {
    it(`tells of the end of a session, signed with ${alg}, and is nothing else`, async () => {
      const [clientId, accountId, sessionId] = [randomUUID(), randomUUID(), randomUUID()];
      const { token, expiresAt } = await signLogoutToken({ alg, clientId, accountId, sessionId });
      const { payload } = await jwtVerify(token, published, {
        issuer: TEST_ISSUER,
        audience: clientId,
        algorithms: [alg],
        typ: 'logout+jwt',
      });
      const { iat = 0, exp = 0, jti, ...claims } = payload;
      assert.deepEqual(claims, {
        iss: TEST_ISSUER,
        aud: clientId,
        sub: accountId,
        sid: sessionId,
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      });
      assert.deepEqual([exp - iat, expiresAt.getTime()], [120, exp * 1000]);
      const { token: another } = await signLogoutToken({ alg, clientId, accountId, sessionId });
      assert.notEqual(decodeJwt(another).jti, jti);
      assert.deepEqual(await own.verify(token), { kind: 'refused', code: 'token_invalid' });
      assert.deepEqual(await verifyAccessToken(token), { kind: 'refused', code: 'token_invalid' });
      assert.equal(await readIdTokenHint(token), undefined);
    });
  }
});
