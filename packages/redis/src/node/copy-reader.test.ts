import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { SessionStatus } from '@gatehouse/schema';
import { encode, keyOf, type CachedSession } from '../session/cached-session.ts';
import { createCopyReader } from './scripts.ts';
import { createSessionMacs } from '../session/session-macs.ts';
import { someSession } from '../testing/index.ts';

const session = someSession(1_763_712_000);
const { accountId, sessionId } = session;
const other = '01936f2e-0000-7000-8000-000000000003';

describe('the reader of copies', () => {
  const macs = createSessionMacs({ userSessions: randomBytes(32), adminSessions: randomBytes(32) });
  const sealed = (key: string, changes: Partial<CachedSession> = {}): string =>
    macs.seal(key, changes.role ?? session.role, encode({ ...session, ...changes }));
  let copies: ReturnType<typeof createCopyReader>;
  let at: { fence: string; key: string; accountId: string; sessionId: string };
  beforeEach(() => {
    copies = createCopyReader(macs);
    at = { fence: 'life', key: copies.keyOf('life', accountId, sessionId), accountId, sessionId };
    assert.deepEqual(copies.read(sealed(at.key), at), { session });
  });

  it('returns fields that pings have overwritten', () => {
    const content = '01936f2e-0000-7000-8000-0000000000ff';
    const later = { lastSeenAt: 1_763_712_009, lastPingAt: 1_763_712_008, contentDefinitionId: content };
    const found = copies.read(sealed(at.key, later), at);
    assert.deepEqual(found, { session: { ...session, ...later, readAtSeconds: 1_763_712_009 } });
    assert.deepEqual(copies.read(sealed(at.key), at), { session });
  });

  it('returns later changes, such as the end', () => {
    const changes = { version: 2, status: SessionStatus.Deactivated };
    assert.equal(copies.read(sealed(at.key, changes), at).session?.status, SessionStatus.Deactivated);
    assert.deepEqual(copies.read(null, at), {});
  });

  it('rejects a copy without a valid MAC, even if similar to the latest genuine one', () => {
    const copy = sealed(at.key);
    const forged = copy.replace(' 1766304000 ', ' 1766304001 ');
    assert.deepEqual(copies.read(forged, at), { rejected: forged.slice(44) });
    assert.deepEqual(copies.read(`x${copy.slice(1)}`, at), { rejected: copy.slice(44) });
    assert.deepEqual(copies.read('nonsense', at), { rejected: '' });
  });

  it('rejects a genuine copy under the key of another server run, account or session', () => {
    const copy = sealed(at.key);
    const places = [
      { ...at, fence: 'next', key: copies.keyOf('next', accountId, sessionId) },
      { ...at, accountId: other, key: copies.keyOf('life', other, sessionId) },
      { ...at, sessionId: other, key: copies.keyOf('life', accountId, other) },
    ];
    for (const place of places) {
      assert.equal(place.key, keyOf(place.fence, place.accountId, place.sessionId));
      assert.deepEqual(copies.read(copy, place), { rejected: copy.slice(44) });
      // A copy that was sealed for that place is still accepted.
      assert.equal(copies.read(sealed(place.key), place).session?.accountId, place.accountId);
    }
  });
});
