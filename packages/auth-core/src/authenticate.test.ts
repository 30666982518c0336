import assert from 'node:assert/strict';
import { createAuth, type Auth } from './authenticate.ts';

type Options = Parameters<typeof createAuth>[0];

describe('a bearer token', () => {
  const shown: string[] = [];
  const refused = { kind: 'refused', code: 'token_expired' } as const;
  const tokens = { verify: (token: string) => (shown.push(token), refused) };
  const unasked = (): never => assert.fail('nobody is asked for a session');
  const auth: Auth = createAuth({
    tokens,
    staticTokens: { check: unasked },
    // A request refused because of its token never reads a session.
    sessionCache: { read: unasked, confirm: unasked } as unknown as Options['sessionCache'],
    idleSeconds: 60,
    findReplacement: unasked,
    onLapsed: unasked,
  });
  beforeEach(() => shown.splice(0));

  for (const [header, token] of [
    ['Bearer abc', 'abc'],
    ['Bearer  abc', 'abc'],
    ['bEARER a.b-c_d~e+f/9==', 'a.b-c_d~e+f/9=='],
    [`Bearer ${'a'.repeat(8192)}`, 'a'.repeat(8192)],
  ] as const)
    it(`is read from ${header.slice(0, 30)}`, async () => {
      assert.deepEqual(await auth.verify(header), refused);
      assert.deepEqual(shown, [token]);
    });

  const LONG = 'a'.repeat(100_000);
  for (const header of [
    ...['Bearer', 'Bearer  ', 'Bearer a b', 'Bearer =', 'Bearer a=b', 'Bearer a,b', 'Bearer ä'],
    ...['Bearer\ta', 'Basic abc', 'abc', ' Bearer abc', 'Bearer abc ', 'Bearer abc\n'],
    ...[`Bearer ${LONG}`, `Bearer ${LONG}=`, `Bearer a${'='.repeat(100_000)}b`],
  ])
    it(`is malformed in ${JSON.stringify(header.slice(0, 30))}`, async () => {
      assert.deepEqual(await auth.verify(header), { kind: 'refused', code: 'token_invalid' });
      assert.deepEqual(shown, []);
    });

  it('is missing without the header, or where it is empty', async () => {
    for (const header of [undefined, '', ' '])
      assert.deepEqual(await auth.verify(header), { kind: 'refused', code: 'token_missing' });
  });
});
