import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, randomUUID, sign, verify, type JsonWebKey } from 'node:crypto';
import { openClientTokens } from '../../../../services/core/src/oauth/open-client-tokens.ts';
import type { ClientTokens } from '@gatehouse/auth-core';
import { TEST_AUDIENCE, throwAwayKeySet } from '@gatehouse/auth-core/testing';
import { during, testLog } from '@gatehouse/runtime/testing';
import { startInstallation } from './installation.ts';

const AUDIENCE = 'https://films.example';
const KINDS = ['own', 'client', 'id RS256', 'id ES256', 'logout RS256', 'logout ES256'] as const;
type Kind = (typeof KINDS)[number];
type Jwk = JsonWebKey & { kid: string; alg: 'RS256' | 'ES256'; nbf?: number };

/** The one key that each kind of statement is believed of. Admin has `admin`, Core has all three. */
const KEYS = ['admin', 'core RS256', 'core ES256', 'stranger'] as const;
const RIGHT: Record<Kind, (typeof KEYS)[number]> = {
  own: 'admin',
  client: 'core ES256',
  'id RS256': 'core RS256',
  'id ES256': 'core ES256',
  'logout RS256': 'core RS256',
  'logout ES256': 'core ES256',
};

describe('a key of an installation', () => {
  const at = during(() => startInstallation());
  let clients: ClientTokens;
  let genuine: Record<Kind, string>;
  let keys: Record<(typeof KEYS)[number], Jwk>;
  before(async () => {
    const { settings } = at.house.app;
    clients = at.house.clientTokens;
    const { id } = await at.house.newAccount();
    const { sessionId, Token } = await at.house.login({ id });
    const { facts, grant } = signInOf(id, sessionId);
    const logoutOf = async (alg: 'RS256' | 'ES256') =>
      (await clients.signLogoutToken({ alg, ...facts })).token;
    genuine = {
      own: Token,
      client: (await clients.signAccessToken(grant)).token,
      'id RS256': await clients.signIdToken({ alg: 'RS256', ...facts }),
      'id ES256': await clients.signIdToken({ alg: 'ES256', ...facts }),
      'logout RS256': await logoutOf('RS256'),
      'logout ES256': await logoutOf('ES256'),
    };
    const first = (json: string | undefined, alg: string): Jwk => {
      const { keys: all } = JSON.parse(json ?? '') as { keys: Jwk[] };
      const found = all.find((key) => key.alg === alg);
      assert.ok(found);
      return found;
    };
    keys = {
      admin: first(settings.SIGNING_KEYS, 'ES256'),
      'core RS256': first(settings.ID_TOKEN_KEYS, 'RS256'),
      'core ES256': first(settings.ID_TOKEN_KEYS, 'ES256'),
      stranger: first(throwAwayKeySet(), 'ES256'),
    };
  });

  /** Who believes a token, by what they take it for. */
  const believers = async (token: string): Promise<string[]> => {
    const { body: metadata } = await at.house.http.get('/.well-known/openid-configuration').expect(200);
    const { pathname } = new URL(metadata.jwks_uri);
    const { keys: published } = (await at.house.http.get(pathname).expect(200)).body as { keys: Jwk[] };
    const { status } = await at.house.http.get('/ping/auth').set({ authorization: `Bearer ${token}` });
    const taken: Record<string, boolean> = {
      'our API': status === 200,
      'an API of ours that checks locally': (await at.verifier('none').verify(token)).kind === 'caller',
      'introspection and userinfo': (await clients.verifyAccessToken(token)).kind === 'claims',
      'an API that checks locally':
        (await at.verifier('none', { audience: AUDIENCE }).verify(token)).kind === 'caller',
      'a hint': (await clients.readIdTokenHint(token))?.about !== undefined,
      ...Object.fromEntries(
        (['RS256', 'ES256'] as const).flatMap((alg) =>
          ['JWT', 'logout+jwt', ...(alg === 'ES256' ? ['at+jwt'] : [])].map((typ) => [
            `an application, as ${typ} by ${alg}`,
            isGenuine(token, { alg, typ, published }),
          ]),
        ),
      ),
    };
    return Object.keys(taken).filter((who) => taken[who]);
  };

  const EXPECTED: Record<Kind, string[]> = {
    own: ['our API', 'an API of ours that checks locally'],
    client: [
      'introspection and userinfo',
      'an API that checks locally',
      'an application, as at+jwt by ES256',
    ],
    'id RS256': ['a hint', 'an application, as JWT by RS256'],
    'id ES256': ['a hint', 'an application, as JWT by ES256'],
    'logout RS256': ['an application, as logout+jwt by RS256'],
    'logout ES256': ['an application, as logout+jwt by ES256'],
  };

  for (const kind of KINDS)
    it(`is believed only if it is the right one: ${kind}`, async () => {
      assert.deepEqual(await believers(genuine[kind]), EXPECTED[kind]);
      assert.equal(partsOf(genuine[kind]).header.kid, keys[RIGHT[kind]].kid);
      for (const name of KEYS) {
        const forged = signedAgain(genuine[kind], keys[name]);
        const isRight = name === RIGHT[kind];
        const isSameKindByOtherAlg = kind.includes(' ') && name.startsWith('core');
        if (isSameKindByOtherAlg && !isRight) continue; // That is the other kind of its name.
        const taken = await believers(forged);
        assert.deepEqual(taken, isRight ? EXPECTED[kind] : [], `${kind} signed by ${name}`);
      }
    });

  it('of access tokens goes on signing for applications where there is no other yet', async () => {
    const { service, settings: others, lifecycle } = at.house.app;
    const log = testLog();
    const openWith = (...listed: Jwk[]): ClientTokens => {
      const settings = { ...others, ID_TOKEN_KEYS: JSON.stringify({ keys: listed }) };
      return openClientTokens({ settings, lifecycle, log, keys: service.keys }).clientTokens;
    };
    const before = openWith(keys['core RS256']);
    const { facts, grant } = signInOf(randomUUID(), randomUUID());
    const token = (await before.signAccessToken(grant)).token;
    const hint = await before.signIdToken({ alg: 'ES256', ...facts });
    for (const one of [token, hint]) assert.equal(partsOf(one).header.kid, keys.admin.kid);
    log.flush();
    assert.ok(log.lines.some((line) => JSON.stringify(line).includes('ID_TOKEN_KEYS has no key for ES256')));
    // With a key that begins to sign later, what was signed before still counts, and nothing that is signed since.
    const seconds = Math.floor(Date.now() / 1000);
    for (const [nbf, counts] of [
      [seconds + 60, true],
      [seconds - 3600, false],
    ] as const) {
      const later = openWith(keys['core RS256'], { ...keys['core ES256'], nbf });
      assert.equal((await later.verifyAccessToken(token)).kind === 'claims', counts);
      assert.equal((await later.readIdTokenHint(hint))?.about !== undefined, counts);
    }
    assert.throws(() => openWith(keys['core RS256'], keys.admin), /a key in common/);
  });
});

/** What tokens say of a sign-in to some application. */
function signInOf(accountId: string, sessionId: string) {
  const facts = { clientId: randomUUID(), accountId, sessionId, authenticatedBy: ['password'] };
  const account = { accountId, sessionId, clientSessionId: randomUUID() };
  return { facts, grant: { clientId: facts.clientId, audience: AUDIENCE, scopes: ['films'], account } };
}

function partsOf(token: string) {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const read = JSON.parse(Buffer.from(header, 'base64url').toString()) as Record<
    'alg' | 'typ' | 'kid',
    string
  >;
  return { header: read, payload, signature, input: `${header}.${payload}` };
}

function signedAgain(token: string, jwk: Jwk): string {
  const { header, payload } = partsOf(token);
  const renamed = { ...header, alg: jwk.alg, kid: jwk.kid };
  const input = `${Buffer.from(JSON.stringify(renamed)).toString('base64url')}.${payload}`;
  const key = { key: createPrivateKey({ format: 'jwk', key: jwk }), dsaEncoding: 'ieee-p1363' } as const;
  return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`;
}

/** As an application checks a token, with the keys that the metadata names. */
function isGenuine(
  token: string,
  { alg, typ, published }: { alg: string; typ: string; published: readonly Jwk[] },
): boolean {
  const { header, payload, input, signature } = partsOf(token);
  const { aud } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { aud: string };
  if (aud === TEST_AUDIENCE) return false;
  const jwk = published.find(({ kid }) => kid === header.kid);
  if (jwk === undefined || header.alg !== alg || jwk.alg !== alg || header.typ !== typ) return false;
  const key = { key: createPublicKey({ format: 'jwk', key: jwk }), dsaEncoding: 'ieee-p1363' } as const;
  return verify('sha256', Buffer.from(input), key, Buffer.from(signature, 'base64url'));
}
