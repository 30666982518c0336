import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//;
const LICENCE_FILE = /^(licen[cs]e|copying|notice)\b/i;

export interface BundledPackage {
  name: string;
  version: string;
  /** An SPDX expression, as the package has it. */
  licence: string | undefined;
  /** The text of its licence and notice files. */
  text: string;
}

/** Returns a function that finds the packages of some inputs, without duplicates, sorted by name and version. */
export function createPackageFinder(root: string): (inputs: readonly string[]) => BundledPackage[] {
  // A cache, because the programs have most packages in common.
  const known = new Map<string, BundledPackage>();
  const read = (folder: string): BundledPackage => {
    const found = known.get(folder) ?? readPackage(join(root, folder));
    known.set(folder, found);
    return found;
  };
  return (inputs) => {
    const folders = new Set(inputs.flatMap((input) => PACKAGE.exec(input)?.[1] ?? []));
    const packages = new Map([...folders].map(read).map((one) => [`${one.name} ${one.version}`, one]));
    return [...packages].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, one]) => one);
  };
}

function readPackage(folder: string): BundledPackage {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    license?: string;
  };
  const texts = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && LICENCE_FILE.test(entry.name))
    .map((entry) => `\n${readFileSync(join(folder, entry.name), 'utf8').trim()}\n`);
  return { name, version, licence: license, text: texts.join('') };
}

/** Most licences require that their text is included. */
export function licencesOf(packages: readonly BundledPackage[]): string {
  const parts = packages.map(
    ({ name, version, licence, text }) => `=== ${name} ${version} (${licence ?? 'see below'})\n${text}`,
  );
  return `What is bundled here besides Gatehouse itself, and under which licences.\n\n${parts.join('\n')}`;
}

/** CycloneDX 1.6 in JSON, without date and serial number: the same sources give the same file. */
export function billOfMaterials(
  program: { name: string; version: string },
  packages: readonly BundledPackage[],
): string {
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        name: `gatehouse-${program.name}`,
        version: program.version,
        licenses: [{ expression: 'Apache-2.0' }],
      },
    },
    components: packages.map(({ name, version, licence }) => ({
      type: 'library',
      'bom-ref': purlOf(name, version),
      ...groupAndName(name),
      version,
      purl: purlOf(name, version),
      ...(licence !== undefined && { licenses: [{ expression: licence }] }),
    })),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** The package URL (ECMA-427), in which the @ of a scope is encoded. */
function purlOf(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${encodeURIComponent(version)}`;
}

function groupAndName(full: string): { group?: string; name: string } {
  const [group = '', name] = full.split('/', 2);
  return name === undefined ? { name: full } : { group, name };
}
