import assert from 'node:assert/strict';
import { ConfigError } from '@gatehouse/runtime';
import { portalSecretOf, readPortalSecret, tokenKeysOf } from './token-keys.ts';
import { TEST_SECRET } from '../testing/index.ts';

describe('the keys of TOKEN_SECRET', () => {
  const all = tokenKeysOf(TEST_SECRET);
  const portal = readPortalSecret(portalSecretOf(TEST_SECRET));

  it('are one for each purpose', () => {
    assert.equal(new Set(Object.values(all).map((key) => key.toString('hex'))).size, 6);
  });

  it('allow Portal to check static tokens and users’ sessions, but to issue no tokens, mail no codes and authenticate no administrators', () => {
    assert.deepEqual(portal.staticTokens, all.staticTokens);
    assert.deepEqual(portal.userSessions, all.userSessions);
    assert.deepEqual(
      [portal.codes, portal.adminSessions, portal.refreshTokens],
      [undefined, undefined, undefined],
    );
    const held = Buffer.from(portalSecretOf(TEST_SECRET), 'base64url');
    for (const key of [all.codes, all.adminSessions, all.refreshTokens, Buffer.from(TEST_SECRET)]) {
      assert.equal(held.indexOf(key), -1);
    }
  });

  it('are refused in any other form', () => {
    const right = portalSecretOf(TEST_SECRET);
    for (const text of ['', TEST_SECRET, right.slice(0, -4), `${right}AAAA`, `${right}=`]) {
      assert.throws(() => readPortalSecret(text), ConfigError);
    }
  });
});
