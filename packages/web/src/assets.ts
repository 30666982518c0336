import { readdirSync, readFileSync } from 'node:fs';

/** The built files of the account pages. */
export interface Assets {
  /** File names below `/web/`. */
  script: string;
  style: string;
  icon: string;
  /** The prerendered pages by path. In place of each text they contain its key in double brackets. */
  pages: Readonly<Record<string, { title: string; html: string }>>;
  /** The HTML of the drawn logo, and the HTML that shows the logo of an installation instead. */
  logo: { drawn: string; own: string };
  /** The files that are served below `/web/`, by name. */
  files: ReadonlyMap<string, string>;
}

const FOLDER = new URL('./built/', import.meta.url);

/** Reads the files that `npm run build` writes. */
export function readAssets(): Assets {
  const read = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8');
  const names = readdirSync(FOLDER).filter((name) => !name.endsWith('.json'));
  return {
    ...(JSON.parse(read('pages.json')) as Omit<Assets, 'files'>), // our own build wrote it
    files: new Map(names.map((name) => [name, read(name)])),
  };
}

/** The built files of the console. */
export interface ConsoleAssets {
  /** File names below `/web/`. */
  script: string;
  style: string;
  icon: string;
}

/** Reads the built files of the console. */
export function readConsole(): ConsoleAssets {
  return JSON.parse(readFileSync(new URL('console.json', FOLDER), 'utf8')) as ConsoleAssets; // our own build wrote it
}
