import assert from 'node:assert/strict';
import { TEST_PASSKEY_SITE } from '@gatehouse/accounts/testing';
import { during, startCore } from '../testing/index.ts';

describe('GET /.well-known/webauthn', () => {
  const core = during(() => startCore());

  it('names the origins that share passkeys, as JSON that browsers read', async () => {
    const answer = await core.http.get('/.well-known/webauthn').expect(200);
    assert.match(answer.headers['content-type'] ?? '', /^application\/json/);
    assert.deepEqual(answer.body, { origins: TEST_PASSKEY_SITE.origins });
  });
});
