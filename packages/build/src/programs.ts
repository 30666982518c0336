import { fileURLToPath } from 'node:url';

/** The folder of the repository. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** What images are made of, by the name of its folder in `dist/`: the file that it begins with. */
export const SHIPPED_PROGRAMS = {
  core: 'services/core/src/main.ts',
  portal: 'services/portal/src/main.ts',
  admin: 'services/admin/src/main.ts',
  'mail-worker': 'services/mail-worker/src/main.ts',
  tools: 'services/tools/src/main.ts',
};

/** What is built: those, and what the stack on one machine has besides. */
export const PROGRAMS = {
  ...SHIPPED_PROGRAMS,
  'demo-provider': 'packages/stack/src/demo/demo-provider-server.ts',
};

export type ProgramName = keyof typeof PROGRAMS;

/** The arguments with which Node runs a built program, its stack traces naming lines of TypeScript. */
export function programArguments(name: ProgramName): string[] {
  return ['--enable-source-maps', `${ROOT}dist/${name}/main.mjs`];
}
