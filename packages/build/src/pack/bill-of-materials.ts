import type { BundledPackage } from '../bundled-packages.ts';

/**
 * The components of a program, as CycloneDX 1.6 in JSON. It contains neither a date nor a serial number, so that the
 * same sources give the same file.
 */
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
