import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';
import { testLog } from '@gatehouse/runtime/testing';
import { keysFor, newIdTokenKeys, publicJwks, signingKey } from '../keys/keys.ts';
import { watchKeys, type Keys } from '../keys/watch-keys.ts';
import { forgedTokens, TEST_AUDIENCE, TEST_ID_TOKEN_KEYS } from '../testing/index.ts';
import { TEST_ISSUER, throwAwayKeySet } from '../testing/index.ts';
import { createClientKeys, createClientTokens, type IdTokenFacts } from './client-tokens.ts';

describe('tokens of clients', () => {
  const keys = watchKeys({ json: throwAwayKeySet(), log: testLog() });
  const idTokenKeys = watchKeys({ json: TEST_ID_TOKEN_KEYS, holds: 'idTokens', log: testLog() });
  let nowMs = Date.now();
  const clients = (changes: { keys?: Keys; idTokenKeys?: Keys; issuer?: string } = {}) =>
    createClientTokens({
      keys: createClientKeys({ keys, idTokenKeys, ...changes }),
      issuer: changes.issuer ?? TEST_ISSUER,
      ownAudience: TEST_AUDIENCE,
      lifetimeSeconds: 3600,
      leewaySeconds: 60,
      now: () => nowMs,
    });
  const { signIdToken, signAccessToken, signLogoutToken, verifyAccessToken, readIdTokenHint } = clients();
  const published = createLocalJWKSet(publicJwks(idTokenKeys.current()));
  beforeEach(() => (nowMs = Date.now()));

  const facts = (changes: Partial<IdTokenFacts> = {}): IdTokenFacts => ({
    alg: 'RS256',
    clientId: randomUUID(),
    accountId: randomUUID(),
    sessionId: randomUUID(),
    authenticatedBy: ['password'],
    ...changes,
  });
  const grant = () => ({
    clientId: randomUUID(),
    audience: 'https://api.example.com',
    scopes: ['openid', 'email'],
    account: { accountId: randomUUID(), sessionId: randomUUID(), clientSessionId: randomUUID() },
  });
  /** A token with a header and claims of one's choice, genuinely signed by the keys of ID tokens. */
  const signed = (claims: object, header: object = {}) => {
    const key = signingKey(keysFor(idTokenKeys.current(), 'ES256'), 0);
    if (key.privateKey === undefined) throw new Error('the set is private');
    return new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: key.kid, ...header })
      .sign(key.privateKey);
  };

  for (const alg of ['RS256', 'ES256'] as const)
    it(`sign ID tokens with ${alg} that verify by the published keys`, async () => {
      const given = facts({
        alg,
        nonce: 'n-0S6',
        authenticatedAt: new Date(1_700_000_000_999),
        authenticatedBy: ['password', 'second-factor'],
        accessToken: 'the access token',
        claims: { email: 'ann@example.com', sub: 'forged', iss: 'forged' },
      });
      const token = await signIdToken(given);
      const options = { issuer: TEST_ISSUER, audience: given.clientId, algorithms: [alg], typ: 'JWT' };
      const { payload, protectedHeader } = await jwtVerify(token, published, options);
      assert.equal(Object.keys(protectedHeader).toSorted().join(), 'alg,kid,typ');
      const { iat, exp, ...claims } = payload;
      assert.equal((exp ?? 0) - (iat ?? 0), 3600);
      const half = createHash('sha256').update('the access token').digest().subarray(0, 16);
      const whose = { aud: given.clientId, sub: given.accountId, sid: given.sessionId };
      const how = { auth_time: 1_700_000_000, amr: ['pwd', 'otp'], nonce: 'n-0S6' };
      const more = { at_hash: half.toString('base64url'), email: 'ann@example.com' };
      assert.deepEqual(claims, { iss: TEST_ISSUER, ...whose, ...how, ...more });
    });

  it('name each way of authentication as it was', async () => {
    const amrOf = async (...authenticatedBy: string[]) =>
      decodeJwt(await signIdToken(facts({ authenticatedBy })))['amr'];
    assert.deepEqual(await amrOf('passkey'), ['hwk']);
    assert.deepEqual(await amrOf('sign-on', 'second-factor'), ['fed', 'otp']);
    assert.deepEqual(await amrOf('mail-code', 'second-factor'), ['otp']);
    assert.equal(decodeJwt(await signIdToken(facts()))['auth_time'], undefined);
  });

  it('are read as what they are', async () => {
    const given = grant();
    const { token, expiresInSeconds } = await signAccessToken(given);
    const found = await verifyAccessToken(token);
    const { kind, issuedAt, expiresAt, ...read } = { issuedAt: 0, expiresAt: 0, ...found };
    assert.deepEqual([kind, expiresAt - issuedAt, expiresInSeconds], ['claims', 3600, 3600]);
    assert.deepEqual(read, given);
    const machine = { clientId: randomUUID(), audience: randomUUID(), scopes: [] };
    const ofClient = await signAccessToken(machine);
    assert.equal(decodeJwt(ofClient.token).sub, machine.clientId);
    const claims = await verifyAccessToken(ofClient.token);
    assert.ok(claims.kind === 'claims' && claims.account === undefined);
  });

  it('expire, and earlier when the lifetime is lowered', async () => {
    const { token } = await signAccessToken(grant());
    nowMs += 3_600_000;
    assert.deepEqual(await verifyAccessToken(token), { kind: 'refused', code: 'token_expired' });
  });

  it('are never signed for the audience of our own APIs', () =>
    assert.rejects(signAccessToken({ ...grant(), audience: TEST_AUDIENCE }), /our own APIs/));

  it('are refused with claims that no token of a client has, however well signed', async () => {
    const { token } = await signAccessToken(grant());
    const claims = decodeJwt(token);
    assert.equal((await verifyAccessToken(await signed(claims))).kind, 'claims');
    for (const change of [
      ...[{ role: 'Admin' }, { aud: TEST_AUDIENCE }, { client_id: 'grafana' }, { scope: ['openid'] }],
      ...[
        { client_session: undefined },
        { client_session: 'x' },
        { sid: undefined, client_session: undefined },
      ],
    ]) {
      const { kind } = await verifyAccessToken(await signed({ ...claims, ...change }));
      assert.equal(kind, 'refused', JSON.stringify(change));
    }
  });

  it('are refused however they are forged, but for another audience, which the endpoint compares', async () => {
    const { token } = await signAccessToken(grant());
    const { keys: all } = JSON.parse(TEST_ID_TOKEN_KEYS) as { keys: { alg: string }[] };
    const own256 = JSON.stringify({ keys: all.filter(({ alg }) => alg === 'ES256') });
    const { invalid, expired } = forgedTokens(token, own256);
    for (const { name, token: forged } of [...invalid, ...expired]) {
      const read = await verifyAccessToken(forged);
      // A token of a client has no role.
      if (read.kind === 'refused' || name === 'role undefined') continue;
      assert.ok(name.startsWith('aud ') && read.audience !== grant().audience, name);
    }
  });

  for (const alg of ['RS256', 'ES256'] as const)
    it(`tell of the end of a session, signed with ${alg}`, async () => {
      const [clientId, accountId, sessionId] = [randomUUID(), randomUUID(), randomUUID()];
      const { token, expiresAt } = await signLogoutToken({ alg, clientId, accountId, sessionId });
      const options = { issuer: TEST_ISSUER, audience: clientId, algorithms: [alg], typ: 'logout+jwt' };
      const { payload } = await jwtVerify(token, published, options);
      const { iat = 0, exp = 0, jti, ...claims } = payload;
      const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
      assert.deepEqual(claims, { iss: TEST_ISSUER, aud: clientId, sub: accountId, sid: sessionId, events });
      assert.deepEqual([exp - iat, expiresAt.getTime()], [120, exp * 1000]);
      const { token: another } = await signLogoutToken({ alg, clientId, accountId, sessionId });
      assert.notEqual(decodeJwt(another).jti, jti);
    });

  describe('shown again as a hint', () => {
    it('are read also when they have expired', async () => {
      for (const alg of ['RS256', 'ES256'] as const) {
        const given = facts({ alg });
        const hint = await signIdToken(given);
        nowMs += 365 * 86_400_000;
        const { clientId, accountId, sessionId } = given;
        assert.deepEqual(await readIdTokenHint(hint), { clientId, about: { accountId, sessionId } });
      }
    });

    it('are about nobody when their key is not known any more', async () => {
      const given = facts();
      const json = JSON.stringify({ keys: newIdTokenKeys(0, 0) });
      const others = watchKeys({ json, holds: 'idTokens', log: testLog() });
      const hint = await clients({ idTokenKeys: others }).signIdToken(given);
      assert.deepEqual(await readIdTokenHint(hint), { clientId: given.clientId, about: undefined });
    });

    it('are ignored when they are forged, of another issuer, or no ID tokens', async () => {
      const good = await signIdToken(facts());
      const [header = '', payload = '', signature = ''] = good.split('.');
      const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
      const { kid } = decodeProtectedHeader(good);
      const { publicKey } = signingKey(keysFor(idTokenKeys.current(), 'RS256'), 0);
      const secret = publicKey.export({ type: 'spki', format: 'pem' });
      const mac = await new SignJWT(decodeJwt(good))
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT', ...(kid !== undefined && { kid }) })
        .sign(Buffer.from(secret));
      const hints = [
        '',
        'x',
        `${header}.${payload}.`,
        `${base64({ alg: 'none', typ: 'JWT', kid })}.${payload}.`,
        `${base64({ alg: 'ES256', typ: 'JWT', kid })}.${payload}.${signature}`,
        `${header}.${base64({ ...decodeJwt(good), sub: randomUUID() })}.${signature}`,
        mac,
        ...['none', 'HS256', ''].map((alg) => `${base64({ alg, typ: 'JWT', kid: 'x' })}.${payload}.x`),
        `${base64({ alg: 'RS256', typ: 'JWT' })}.${payload}.${signature}`,
        `${base64({ alg: 'RS256', typ: 'logout+jwt', kid: 'x' })}.${payload}.${signature}`,
        await clients({ issuer: 'https://other.example' }).signIdToken(facts()),
        await signed(decodeJwt(good)),
        await signed({ iss: TEST_ISSUER, sub: randomUUID(), aud: randomUUID() }, { typ: 'JWT' }),
        `${good}${'x'.repeat(20_000)}`,
      ];
      for (const hint of hints) assert.equal(await readIdTokenHint(hint), undefined, hint.slice(0, 80));
    });
  });
});
