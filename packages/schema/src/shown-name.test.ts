import assert from 'node:assert/strict';
import { shownName } from './shown-name.ts';

const NAMES = [
  'Ann',
  'Dr. Ann O’Neill',
  "Ann O'Neill-Smith, Jr.",
  'J.R.R. Tolkien',
  'J. R. R. Tolkien',
  'Ann & Bob (Berlin)',
  'Gal·la Martí i Pol',
  'Nguyễn Thị Minh Khai',
  'Зоя Космодемьянская',
  '山田 太郎',
  'محمد‌علی جناح',
  'श्रीमती इंदिरा गाँधी',
  'שָׁלוֹם עֲלֵיכֶם',
  'Louis 14',
  'ann_smith',
  'Firefox 128, Linux',
];

const NO_NAMES: Record<string, string> = {
  'a URL': 'https://evil.example/now',
  'a domain': 'visit evil.example',
  'a domain after other text': 'Ann. Visit evil.example',
  'a domain of one letter': 'go to t.co now',
  'a domain in wide letters': 'ｅｖｉｌ．ｅｘａｍｐｌｅ',
  'a domain with an ideographic full stop': 'evil。example',
  'a domain with a halfwidth full stop': 'evil｡example',
  'a domain with a one dot leader': 'evil․example',
  'an IP address': '192.0.2.1',
  'an email': 'a@b',
  'an email in wide letters': 'a＠b',
  'another scheme': 'tel:5551234',
  'a telephone number': 'Call 1 555 01234',
  'a telephone number in Arabic digits': 'Call ١٥٥٥٠١٢',
  'a telephone number with a plus': 'Call +1 555',
  'an advertisement': 'You have won 1000 $!',
  'a message': 'Your account was closed, ask our support in Berlin what to do',
  'a line break': 'Ann\nBob',
  'a carriage return': 'Ann\r\nBcc Bob',
  'a line separator': 'Ann\u2028Bob',
  'a tab': 'Ann\tBob',
  NUL: 'Ann\0',
  'a text that is turned round': 'Ann \u202Eelpmaxe',
  'an isolate': 'Ann \u2067x\u2069',
  'invisible characters': 'A\u200Bn\u2060n',
  'a lone surrogate': 'Ann \uD800',
  'tags of HTML': '<a href=x>Ann</a>',
  'an end of the quotation': 'Ann” (“',
  'marks in heaps': `Z${'\u0301\u0302\u0303\u0304\u0305'.repeat(3)}`,
  'no letter': '123',
  nothing: '',
  blanks: '   ',
};

describe('display names in mails', () => {
  for (const name of NAMES) it(`is shown as it is: ${name}`, () => assert.equal(shownName(name), name));

  for (const [what, text] of Object.entries(NO_NAMES))
    it(`is not shown when it is ${what}`, () => assert.equal(shownName(text), undefined));

  it('is shown up to 50 characters, and not beyond', () => {
    assert.equal(shownName('x'.repeat(50)), 'x'.repeat(50));
    assert.equal(shownName('x'.repeat(51)), undefined);
    assert.equal(shownName('𝐱'.repeat(50)), 'x'.repeat(50));
  });

  it('is shown without blanks around it, and in plain characters', () =>
    assert.equal(shownName('  Ａｎｎ\u00A0Ｓｍｉｔｈ '), 'Ann Smith'));

  it('may be missing', () => assert.equal(shownName(undefined), undefined));

  it('takes no longer for thousands of characters', () => {
    const begun = performance.now();
    for (const part of ['a.', ' ', '\u0301', 'a b.']) shownName(part.repeat(20_000));
    assert.ok(performance.now() - begun < 1000);
  });
});
