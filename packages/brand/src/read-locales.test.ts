import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { useFolder } from '@gatehouse/runtime/testing';
import { readLocales } from './read-locales.ts';

const en = { hello: 'Hello {name}', bye: 'Goodbye' };
const de = { hello: 'Hallo {name}', bye: 'Auf Wiedersehen' };

describe('locales', () => {
  const at = useFolder();
  const put = (name: string, content: unknown): void =>
    writeFileSync(at(name), typeof content === 'string' ? content : JSON.stringify(content));
  const read = () => readLocales(at(), { en, de });

  it('are the built-in ones without a directory, English where there is none for a person', () => {
    const { names, gaps, textsFor } = readLocales(undefined, { en, de });
    assert.deepEqual([names, gaps], [['de', 'en'], []]);
    for (const asked of ['de', 'de-AT', 'DE_at']) assert.equal(textsFor(asked).locale, 'de');
    for (const asked of ['fr', '', 'constructor', '__proto__']) assert.equal(textsFor(asked).locale, 'en');
  });

  it('get a language from a file, and English for what it lacks', () => {
    put('fr.json', { hello: 'Bonjour {name}' });
    const { names, gaps, textsFor } = read();
    assert.deepEqual(names, ['de', 'en', 'fr']);
    assert.deepEqual(textsFor('fr-CA'), { locale: 'fr', texts: { hello: 'Bonjour {name}', bye: 'Goodbye' } });
    assert.deepEqual(gaps, [{ locale: 'fr', fallback: 'en', missing: ['bye'], unknown: [], unfit: [] }]);
  });

  it('change texts of a language, or of a region of it, and leave the others', () => {
    put('de.json', { bye: 'Tschüss' });
    put('de-AT.json', { hello: 'Servus {name}' });
    const { names, gaps, textsFor } = read();
    assert.deepEqual(names, ['de', 'de-AT', 'en']);
    assert.deepEqual(textsFor('de').texts, { hello: 'Hallo {name}', bye: 'Tschüss' });
    assert.deepEqual(textsFor('de-at').texts, { hello: 'Servus {name}', bye: 'Tschüss' });
    assert.deepEqual(gaps, []);
    assert.deepEqual(readLocales(undefined, { en, de }).textsFor('de').texts, de);
  });

  it('report unused keys, and keep the built-in text for an unknown placeholder', () => {
    put('de.json', { helo: 'Hallo', hello: 'Hallo {nmae}', toString: 'x' });
    const { gaps, textsFor } = read();
    assert.deepEqual(gaps, [
      { locale: 'de', fallback: 'de', missing: [], unknown: ['helo', 'toString'], unfit: ['hello'] },
    ]);
    assert.deepEqual(textsFor('de').texts, de);
  });

  it('look at the keys of one part alone', () => {
    put('de.json', { 'mail.hello': 'x', hello: 'Hi {name}' });
    const { gaps, textsFor } = readLocales(at(), { en, de }, (key) => !key.startsWith('mail.'));
    assert.deepEqual(gaps, []);
    assert.deepEqual(textsFor('de').texts, { hello: 'Hi {name}', bye: 'Auf Wiedersehen' });
  });

  it('refuse files that are no texts, too large or too many, or not named for a locale', () => {
    for (const [name, content, message] of [
      ['fr.json', '{', /fr\.json must be a JSON object/],
      ['fr.json', [], /fr\.json/],
      ['fr.json', { hello: 1 }, /fr\.json: \/hello/],
      ['fr.json', { hello: 'Hello\r\nBcc: x' }, /fr\.json: \/hello/],
      ['fr.json', { hello: 'x'.repeat(2001) }, /fr\.json: \/hello/],
      ['fr.json', ' '.repeat(512 * 1024 + 1), /larger than 512 KB/],
      ['french.json', {}, /french\.json is not named for a locale/],
      ['de-abcde-abcde.json', {}, /is not named for a locale/],
      ['DE.json', {}, /two files for de/],
    ] as const) {
      put(name, content);
      if (name === 'DE.json') put('de.json', {});
      assert.throws(read, { name: 'ConfigError', message });
      rmSync(at(name));
    }
    for (let i = 0; i < 101; i += 1) put(`x${i}.json`, {});
    assert.throws(read, /more than 100 files/);
    assert.throws(() => readLocales(at('none'), { en, de }), /LOCALES_DIRECTORY cannot be read/);
  });

  it('ignore other files in the directory', () => {
    put('README.md', 'Texts');
    assert.deepEqual(read().names, ['de', 'en']);
  });
});
