import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//;
const LICENCE_FILE = /^(licen[cs]e|copying|notice)\b/i;

/** Tells the licences of every package of which something is bundled: most ask that their text goes along. */
export function createLicences(root: string): (inputs: string[]) => string {
  // The programs have most packages in common.
  const known = new Map<string, string>();
  const read = (folder: string): string => {
    const text = known.get(folder) ?? licenceOf(join(root, folder));
    known.set(folder, text);
    return text;
  };
  return (inputs) => {
    const folders = new Set(inputs.flatMap((input) => PACKAGE.exec(input)?.[1] ?? []));
    const parts = [...folders].map(read).toSorted();
    return `What is bundled here besides Gatehouse itself, and under which licences.\n\n${parts.join('\n')}`;
  };
}

function licenceOf(folder: string): string {
  const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    license?: string;
  };
  const texts = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && LICENCE_FILE.test(entry.name))
    .map(({ name }) => `\n${readFileSync(join(folder, name), 'utf8').trim()}\n`);
  return `=== ${about.name} ${about.version} (${about.license ?? 'see below'})\n${texts.join('')}`;
}
