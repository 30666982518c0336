import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The programs of the images, by the names of their folders in `dist/`, each with its entry file. */
export const SHIPPED_PROGRAMS = {
  core: 'services/core/src/main.ts',
  portal: 'services/portal/src/main.ts',
  admin: 'services/admin/src/main.ts',
  'mail-worker': 'services/mail-worker/src/main.ts',
  'hook-worker': 'services/hook-worker/src/main.ts',
  tools: 'services/tools/src/main.ts',
};

/** All programs: those of the images, and those that only the local stack needs. */
export const PROGRAMS = {
  ...SHIPPED_PROGRAMS,
  'demo-provider': 'packages/dev/src/demo/demo-provider.mjs',
  'demo-app': 'examples/openid-connect/app.mjs',
  launcher: 'packages/dev/src/commands/start.ts',
};

export type ProgramName = keyof typeof PROGRAMS;

/** The arguments with which Node runs a built program. Its stack traces show lines of the TypeScript sources. */
export function programArguments(name: ProgramName): string[] {
  return ['--enable-source-maps', `${ROOT}dist/${name}/main.mjs`];
}
