import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { CONSOLE_TEXTS, SHARED_TEXTS } from './console/texts.ts';
import { PAGE_TEXTS } from './page-texts.ts';
import type { Texts } from './ui/languages.ts';

describe('the texts of the pages and the console', () => {
  const all = Object.entries<Texts[string]>({ ...PAGE_TEXTS, ...CONSOLE_TEXTS });
  const placesOf = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(String).toSorted();

  it('have the same placeholders in every language', () => {
    for (const [key, [english, ...others]] of all)
      for (const other of others) assert.deepEqual(placesOf(other), placesOf(english), key);
  });

  it('are plain sentences: not empty, no exclamation marks, no markup', () => {
    for (const [key, each] of all)
      for (const text of each) {
        assert.match(text, /\S/, key);
        if (key in PAGE_TEXTS) assert.doesNotMatch(text, /[!<>]|\[\[/, key);
      }
  });

  it('have one place each', () => {
    const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' });
    const keysIn = (folders: RegExp): string[] =>
      files
        .filter((name) => folders.test(name) && name.endsWith('/texts.ts'))
        .flatMap(
          (name) => readFileSync(`${import.meta.dirname}/${name}`, 'utf8').match(/^ {2}\S+: \[/gm) ?? [],
        );
    assert.equal(keysIn(/^(pages|ui)\//).length, Object.keys(PAGE_TEXTS).length);
    const shared = Object.keys(SHARED_TEXTS).length;
    const ofConsole = keysIn(/^console\/[a-z-]+\//).length + shared;
    assert.equal(ofConsole, Object.keys({ ...SHARED_TEXTS, ...CONSOLE_TEXTS }).length);
  });
});
