import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** The arguments with which any Node runs a TypeScript file, from any working directory. */
export function nodeArguments(file: string): string[] {
  const tsx = createRequire(import.meta.url).resolve('tsx');
  return ['--import', pathToFileURL(tsx).href, file];
}
