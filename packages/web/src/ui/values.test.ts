import assert from 'node:assert/strict';
import { takeFragment } from './browser.ts';
import { initialsOf } from './initials.ts';
import { fill } from './locale.ts';

describe('takeFragment', () => {
  const take = (hash: string, search = '') => {
    const left: unknown[] = [];
    const past = { replaceState: (...given: unknown[]) => void left.push(given) };
    return { said: takeFragment({ hash, pathname: '/verify-email', search }, past), left };
  };

  it('removes it from the URL and the history', () => {
    const { said, left } = take('#Email=a%2Bb%40example.com&Code=ABCD-1234', '?locale=de');
    assert.deepEqual(said, { Email: 'a+b@example.com', Code: 'ABCD-1234' });
    assert.deepEqual(left, [[null, '', '/verify-email?locale=de']]);
  });

  it('removes unknown fragments, too', () => {
    for (const hash of ['#x', '#%', '#=&=&', '#<script>']) assert.equal(take(hash).left.length, 1, hash);
  });

  it('contains no text in place of an email address', () => {
    for (const text of [
      'Call +1 555 0100',
      'a@b c',
      '@',
      'a@',
      '@b',
      'a@b@c',
      'a\u00a0b@c',
      'a\u202eb@c',
      'x'.repeat(65) + '@c',
    ]) {
      const { said } = take(`#${new URLSearchParams({ Email: text, Address: text, Code: 'ABCD-1234' })}`);
      assert.deepEqual(said, { Code: 'ABCD-1234' }, text);
    }
    for (const address of ['ann@example.com', "o'hara+x@xn--bcher-kva.example", 'jürgen@bücher.example'])
      assert.equal(take(`#${new URLSearchParams({ Email: address })}`).said['Email'], address);
  });

  it('keeps a URL without one', () => {
    assert.deepEqual(take(''), { said: {}, left: [] });
  });
});

describe('initialsOf', () => {
  it('returns the first letters of the first and the last word', () => {
    const names = {
      'Ann Example': 'AE',
      ann: 'A',
      'Ann Maria van Dyk': 'AD',
      '“Émile” Zola': 'ÉZ',
      '𝒳 y': '𝒳Y',
    };
    for (const [name, initials] of Object.entries(names)) assert.equal(initialsOf(name), initials);
  });

  it('returns one letter of an email address, and nothing of a name without letters', () => {
    assert.equal(initialsOf('ann.example@example.com'), 'A');
    assert.equal(initialsOf(' – '), '');
  });
});

describe('fill', () => {
  it('replaces placeholders, also repeated ones', () => {
    assert.equal(fill('{a} and {b}, {a}', { a: 1, b: 'two' }), '1 and two, 1');
  });

  it('inserts values literally', () => {
    assert.equal(fill('{a}', { a: '{b} $& $1', b: 'no' }), '{b} $& $1');
  });

  it('keeps a placeholder without a value', () => {
    assert.equal(fill('{a}{constructor}', {}), '{a}{constructor}');
  });
});
