import { readdirSync, readFileSync } from 'node:fs';

/** The texts of each language, by their keys. */
export type Locales = ReadonlyMap<string, Readonly<Record<string, string>>>;

const FOLDER = new URL('./locale/', import.meta.url);

/** The languages that come with Gatehouse, English first: what another lacks is said in it. */
export function readLocales(): Locales {
  const names = readdirSync(FOLDER).map((file) => file.replace('.json', ''));
  const read = (name: string): Record<string, string> =>
    JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8')) as Record<string, string>; // a test compares them
  const english = read('en');
  return new Map(
    ['en', ...names.filter((name) => name !== 'en')].map((name) => [name, { ...english, ...read(name) }]),
  );
}
