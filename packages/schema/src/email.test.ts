import assert from 'node:assert/strict';
import { emailKey, normalizeEmail } from './email.ts';

describe('normalizeEmail', () => {
  for (const [typed, stored] of [
    ['Ann@Example.com', 'Ann@example.com'],
    [' ann@example.com ', 'ann@example.com'],
    ['ann＠example.com', 'ann@example.com'],
    ['ａｎｎ@example.com', 'ann@example.com'],
    ['ann@bücher.example', 'ann@xn--bcher-kva.example'],
    ['ann@XN--BCHER-KVA.example', 'ann@xn--bcher-kva.example'],
    ['ann@faß.example', 'ann@xn--fa-hia.example'],
    ['ann@пример.рф', 'ann@xn--e1afmkfd.xn--p1ai'],
    ['ann@मेल.भारत', 'ann@xn--r2bi6d.xn--h2brj9c'],
    ['ann@example．com', 'ann@example.com'],
    ['ann@example\u3002com', 'ann@example.com'],
    ['ann@example\uff61com', 'ann@example.com'],
    ['ann@3com.example', 'ann@3com.example'],
    ['ann+tag@localhost', 'ann+tag@localhost'],
  ] as const)
    it(`reads ${typed} as ${stored}`, () => assert.equal(normalizeEmail(typed), stored));

  /** Addresses that contain no white space. A URL parser would read a different domain from some of these. */
  const REFUSED = String.raw`
    @ ann ann@ @example.com a@b@c.example ann@example..com .ann@example.com ann@[127.0.0.1] ann@example.com.
    ann@.example.com ann@-a.example ann@a-.example v@corp.example/x.attacker.example
    v@corp.example?x.attacker.example v@corp.example#x.attacker.example v@corp.example\x.attacker.example
    v@corp%2eexample v@%63orp.example v@corp.example:25 v@corp.example:25@x v@x@corp.example u@1 u@1.2.3.4
    u@0x7f u@0x7f.1 u@0X7F.1 u@example.0x u@example.1 u@0177.1 u@１２７.１ u@[1.2.3.4] u@[::1] v@☃.example
    v@xn--.example v@xn--a.example v@xn--corp-.example ann(x)@example.com <@evil.example:ann@example.com>
    mailto:ann@example.com "ann@example.com"@evil.example`;
  for (const typed of [
    ...['', ...REFUSED.trim().split(/\s+/)],
    ...['"ann smith"@example.com', 'ann@example.com, bob@example.com', 'ann@exa\u0000mple.com'],
    ...['Ann <ann@example.com>', 'people: bob@example.com, ann@example.com;', 'an\u200bn@example.com'],
    ...['ann@example.com\r\nBcc: bob@example.com', 'ann\ud800@example.com'],
    'аnn@example.com', // a Cyrillic а
    ...[`${'a'.repeat(65)}@example.com`, `ann@${'a'.repeat(64)}.com`, `ann@${'a.'.repeat(126)}com`],
    ...['v@corp.exa\tmple', 'v@corp.exa\nmple', 'v@corp.exa\rmple'],
    // Characters that IDNA silently removes or replaces.
    'v@co\u00adrp.example', // a soft hyphen
    'v@co\u200drp.example', // a zero width joiner
    'v@co\u200brp.example', // a zero width space
    'v@co\u034frp.example', // a combining grapheme joiner
    'v@co\u180brp.example', // a variation selector
    'v@co\u2060rp.example', // a word joiner
    'v@\ufeffcorp.example',
    'v@ac℀orp.example', // "a/c" in one character
    'v@xn--n3h.example', // the encoding of a snowman
    'v@xn--\u00fc.example',
    'ın@corp.example', // without its dot it is another letter
  ])
    it(`refuses ${JSON.stringify(typed)}`, () => assert.equal(normalizeEmail(typed), undefined));

  it('returns one key for all spellings of an address', () => {
    const spellings = ['ANN@EXAMPLE.COM', 'ann@Example.com', 'ＡＮＮ＠ｅｘａｍｐｌｅ.com'];
    const keys = spellings.map((text) => emailKey(normalizeEmail(text) ?? ''));
    assert.deepEqual(new Set(keys), new Set(['ann@example.com']));
  });
});
