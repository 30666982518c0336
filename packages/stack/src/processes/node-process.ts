import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The folder of the repository. */
export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** The arguments with which this Node runs a TypeScript file: before 22.18 it needs tsx for that. */
export function nodeArguments(file: string, version = process.versions.node): string[] {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const stripsTypes = major > 22 || (major === 22 && minor >= 18);
  return [...(stripsTypes ? [] : ['--import', tsx()]), file];
}

/** By its full address, so that it is found from whatever folder the process runs in. */
function tsx(): string {
  return pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
}
