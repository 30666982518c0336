import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const read = (locale: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`./locale/${locale}.json`, import.meta.url), 'utf8'));

describe('the texts of the pages', () => {
  const english = read('en');
  const german = read('de');
  const placesOf = (text = ''): string[] => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).toSorted();

  it('exist in both languages, in the same order', () => {
    assert.deepEqual(Object.keys(german), Object.keys(english));
  });

  it('have the same placeholders in both languages', () => {
    for (const [key, text] of Object.entries(english)) {
      assert.deepEqual(placesOf(german[key]), placesOf(text), key);
    }
  });

  it('are plain sentences: not empty, no exclamation marks, no markup', () => {
    for (const [key, text] of Object.entries({ ...english, ...german })) {
      assert.match(text, /\S/, key);
      assert.doesNotMatch(text, /[!<>]|\[\[/, key);
    }
  });
});
