import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createRefreshTokens } from './refresh-token.ts';
import { TEST_SECRET } from '../testing/index.ts';

describe('refresh tokens', () => {
  const tokens = createRefreshTokens({ key: Buffer.from(TEST_SECRET) });
  const sessionId = randomUUID();
  const nonce = tokens.newNonce();
  const token = tokens.issue(sessionId, nonce);

  it('reads what it issued, which is the same every time', () => {
    assert.match(token, /^[A-Za-z0-9_-]{86}$/);
    assert.equal(tokens.issue(sessionId, nonce), token);
    assert.deepEqual(tokens.read(token), { sessionId, nonce });
  });

  it('refuses a token with any one bit changed', () => {
    const bytes = Buffer.from(token, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const forged = Buffer.from(bytes);
      forged.writeUInt8(forged.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      assert.equal(tokens.read(forged.toString('base64url')), undefined, `bit ${bit}`);
    }
  });

  it('refuses every other spelling and shape', () => {
    const twin = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.split('').find((last) => {
      const other = token.slice(0, -1) + last;
      return other !== token && Buffer.from(other, 'base64url').equals(Buffer.from(token, 'base64url'));
    });
    const spaced = `${token.slice(0, 40)} ${token.slice(40, -1)}`;
    const wrong = [`${token}=`, ` ${token}`, `${token}\n`, token.slice(1), '', spaced, 'A'.repeat(86)];
    for (const text of [...wrong, `${token}${token}`, token.slice(0, -1) + String(twin)])
      assert.equal(tokens.read(text), undefined, text);
  });

  it('refuses tokens under another secret', () =>
    assert.equal(createRefreshTokens({ key: Buffer.from(`${TEST_SECRET}!`) }).read(token), undefined));

  it('does not issue a token that it could not read', () => {
    assert.throws(() => tokens.issue('no uuid', nonce), TypeError);
    assert.throws(() => tokens.issue(sessionId, Buffer.alloc(8)), TypeError);
  });
});
