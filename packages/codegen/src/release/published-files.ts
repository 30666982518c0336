/** The images that are built from these sources. */
export const IMAGES = ['core', 'portal', 'admin', 'mail-worker', 'hook-worker', 'gateway', 'tools'] as const;

/** Where the images of a release are. */
export interface Published {
  version: string;
  /** The registry and the name before `/core` and so on. */
  prefix: string;
  /** The digests of images that were pushed, by their names. */
  digests: Readonly<Record<string, string>>;
}

/**
 * docker-compose.yml for a release: it names the published images instead of building them, and contains the one file
 * that it mounts.
 */
export function publishedCompose(
  text: string,
  { version, prefix, digests }: Published,
  guard: string,
): string {
  const images = text.replaceAll(
    /\$\{IMAGE_PREFIX:-localhost\/gatehouse\}\/([\w-]+):\$\{GATEHOUSE_VERSION:-dev\}/g,
    (_, name: string) => {
      const digest = digests[name];
      return `${prefix}/${name}:${version}${digest === undefined ? '' : `@${digest}`}`;
    },
  );
  const content = guard
    .replaceAll('$', '$$$$')
    .trimEnd()
    .replaceAll(/^(?=.)/gm, '      ');
  return `${images
    .replaceAll(/^( +)build:.*\n(?:\1 .*\n)*/gm, '')
    .replace(GUARD_VOLUME, 'configs: [{ source: inbox-guard, target: /inbox-guard.cjs }]')
    .replace(/^# A release comes with this file[^]*?\n(?=name:)/m, `# Gatehouse ${version}\n`)
    .trimEnd()}\n\nconfigs:\n  inbox-guard:\n    content: |\n${content}\n`;
}

const GUARD_VOLUME = /volumes: \['\.\/[\w./-]+\/inbox-guard\.cjs:\/inbox-guard\.cjs:ro'\]/;

/** The chart's values for a release: its images are the published ones. */
export function publishedValues(text: string, { prefix, digests }: Published): string {
  const byComponent = Object.entries(digests).map(
    ([name, digest]) => `${name.replace('-worker', 'Worker')}: ${digest}`,
  );
  return text
    .replace(/^ {2}prefix: gatehouse$/m, `  prefix: ${prefix}`)
    .replace(
      /^ {2}digests: \{\}$/m,
      byComponent.length === 0 ? '$&' : `  digests: { ${byComponent.join(', ')} }`,
    );
}
