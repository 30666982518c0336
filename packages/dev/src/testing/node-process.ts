import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** The arguments with which this Node runs a TypeScript file. Versions before 22.18 need tsx. */
export function nodeArguments(file: string, version = process.versions.node): string[] {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const stripsTypes = major > 22 || (major === 22 && minor >= 18);
  return [...(stripsTypes ? [] : ['--import', tsx()]), file];
}

/** The full URL, so that it is found from any working directory. */
function tsx(): string {
  return pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
}
