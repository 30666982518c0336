import assert from 'node:assert/strict';
import { nameKeyOf, readName } from './person-name.ts';

describe('nameKeyOf', () => {
  for (const spellings of [
    ['Ann', 'ANN', ' ann\t', '\u00a0Ann\u3000', 'Ａｎｎ'],
    ['Straße', 'STRASSE', 'strasse', 'STRAẞE', 'ſtraſſe'],
    ['Ὀδυσσεύς', 'ὈΔΥΣΣΕΎΣ', 'Ὀδυσσεύσ'],
    ['Zoë', 'Zoe\u0308', 'ZOË'],
    ['ﬁona', 'Fiona'],
    ['İnci', 'i\u0307nci'],
    ['ŉ', 'ʼN'],
    ['Ǆ', 'ǅ', 'ǆ', 'DŽ'],
  ]) {
    it(`takes ${spellings.join(', ')} for one name`, () => {
      assert.deepEqual(new Set(spellings.map(nameKeyOf)).size, 1);
    });
  }

  for (const [one = '', other = ''] of [
    ['ınci', 'inci'],
    ['İnci', 'Inci'],
    ['Ann Lee', 'Ann  Lee'],
    ['Zoe', 'Zoë'],
    ['Аnn', 'Ann'], // a Cyrillic А
  ]) {
    it(`distinguishes ${one} from ${other}`, () => assert.notEqual(nameKeyOf(one), nameKeyOf(other)));
  }

  it('maps upper and lower case of every letter to one key, which maps to itself', () => {
    for (let code = 0; code < 0x1_e944; code += 1) {
      const letter = String.fromCodePoint(code);
      const key = nameKeyOf(letter);
      assert.equal(nameKeyOf(key), key, letter);
      if (letter === 'ı' || !letter.isWellFormed()) continue;
      for (const other of [letter.toUpperCase(), letter.toLowerCase(), letter.normalize('NFD')]) {
        assert.equal(nameKeyOf(other), key, letter);
      }
    }
  });
});

describe('readName', () => {
  it('keeps the spelling, but for spaces at its ends', () => {
    assert.deepEqual(readName(' Zoë  Lee\u00a0'), { name: 'Zoë  Lee', nameKey: 'zoë  lee' });
  });

  it('refuses a name of only spaces, and one that expands too much', () => {
    assert.equal(readName(' \u2003\u00a0'), undefined);
    assert.equal(readName('\ufdfa'.repeat(200)), undefined);
  });
});
