import assert from 'node:assert/strict';
import { takeFragment } from './browser.ts';

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
    for (const address of ['ann@example.com', "o'hara+x@xn--bcher-kva.example", 'jürgen@bücher.example']) {
      assert.equal(take(`#${new URLSearchParams({ Email: address })}`).said['Email'], address);
    }
  });

  it('keeps a URL without one', () => {
    assert.deepEqual(take(''), { said: {}, left: [] });
  });
});
