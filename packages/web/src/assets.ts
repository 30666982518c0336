import { readdirSync, readFileSync } from 'node:fs';

/** What the build has made for browsers. */
export interface Assets {
  /** Names below `/web/`. */
  script: string;
  style: string;
  icon: string;
  /** The pages before their script runs, by path, with the keys of texts in double brackets. */
  pages: Readonly<Record<string, { title: string; html: string }>>;
  /** How pages show the drawn logo, and how one of the installation's own. */
  logo: { drawn: string; own: string };
  /** What is served below `/web/`, by name. */
  files: ReadonlyMap<string, string>;
}

const FOLDER = new URL('./built/', import.meta.url);

/** Reads what the build has made; `npm run build` makes it. */
export function readAssets(): Assets {
  const read = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8');
  const names = readdirSync(FOLDER).filter((name) => !name.endsWith('.json'));
  return {
    ...(JSON.parse(read('pages.json')) as Omit<Assets, 'files'>), // our own build wrote it
    files: new Map(names.map((name) => [name, read(name)])),
  };
}

/** What the build has made for the console. */
export interface ConsoleAssets {
  /** Names below `/web/`. */
  script: string;
  style: string;
  icon: string;
  /** Its texts, by language. */
  texts: Readonly<Record<'en' | 'de', Record<string, string>>>;
}

/** Reads what the build has made for the console. */
export function readConsole(): ConsoleAssets {
  return JSON.parse(readFileSync(new URL('console.json', FOLDER), 'utf8')) as ConsoleAssets; // our own build wrote it
}
