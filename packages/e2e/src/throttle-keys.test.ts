import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { throttledSubjectOf, throttleKeyText, type ThrottleKey } from '@gatehouse/db';
import * as fc from 'fast-check';

describe('the keys under which failures are counted', () => {
  /** Arbitrary text, and text that looks like a key or a part of one. */
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 320 }),
    fc.string({
      unit: fc.constantFrom('a', ' ', '@', '"', ',', '[', ']', '\\', '\0', '\ud800', ':'),
      maxLength: 12,
    }),
    fc.constantFrom(
      'email',
      'user-name',
      'second-factor',
      '203.0.113.20',
      '2001:db8:0:0::/64',
      '["email","a"]',
    ),
  );
  const keyOf = (typed: fc.Arbitrary<string>): fc.Arbitrary<ThrottleKey> =>
    fc
      .tuple(
        fc.oneof(
          typed.map((emailKey) => ({ kind: 'email', emailKey }) as const),
          typed.map((hash) => ({ kind: 'user-name', hash: Buffer.from(hash) }) as const),
          typed.map((accountId) => ({ kind: 'second-factor', accountId }) as const),
        ),
        fc.option(text),
      )
      .map(([what, from]) => (from === null ? what : { ...what, from }));
  const key = keyOf(text);
  /** A key, and another whose input an attacker builds from parts of the first. */
  const attempt = key.chain((one) => {
    const subject = 'emailKey' in one ? one.emailKey : 'accountId' in one ? one.accountId : String(one.hash);
    const pieces = [
      throttleKeyText(one),
      throttleKeyText(one).slice(1, -1),
      subject,
      one.from ?? '',
      one.kind,
    ];
    const joined = fc
      .tuple(fc.shuffledSubarray(pieces, { minLength: 1 }), fc.constantFrom('', ' ', '\0', ':', ',', '","'))
      .map(([some, by]) => some.join(by));
    return fc.tuple(fc.constant(one), fc.oneof(key, keyOf(joined)));
  });

  it('are different for different kinds, subjects and addresses, for any input', () => {
    const property = fc.property(attempt, ([one, other]) => {
      const isSame = isDeepStrictEqual(one, other);
      assert.equal(throttleKeyText(one) === throttleKeyText(other), isSame);
    });
    fc.assert(property, { numRuns: 5000 });
  });

  it('are text that Postgres can keep', () => {
    const property = fc.property(key, (each) => {
      const kept = throttleKeyText(each);
      assert.ok(kept.isWellFormed() && !kept.includes('\0'));
    });
    fc.assert(property);
  });

  it('contain the account, but no other subjects or single addresses', () => {
    const property = fc.property(key, (one) => {
      const isAboutAccount = one.kind !== 'user-name' && one.from === undefined;
      assert.deepEqual(throttledSubjectOf(throttleKeyText(one)), isAboutAccount ? one : undefined);
    });
    fc.assert(property, { numRuns: 2000 });
  });
});
