import { readFileSync } from 'node:fs';

type Texts = Record<string, string>;

const FOLDER = new URL('./locale/', import.meta.url);

/** The texts of the languages that come with Gatehouse. A test compares their keys. */
export function builtInTexts(): { en: Texts; de: Texts } {
  const read = (locale: string): Texts =>
    JSON.parse(readFileSync(new URL(`${locale}.json`, FOLDER), 'utf8')) as Texts; // our own files
  return { en: read('en'), de: read('de') };
}
