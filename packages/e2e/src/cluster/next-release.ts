import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';
import { programArguments, type ProgramName } from '@gatehouse/build';

/** The next release, which has one more migration. */
export interface NextRelease {
  argumentsOf(name: ProgramName): string[];
  migrate(databaseUrl: string): Promise<string>;
  remove(): void;
}

const PROGRAMS = ['core', 'portal', 'admin', 'mail-worker', 'tools'] as const;

/** Copies the build and adds a migration with `sql`. */
export function nextRelease(sql: string): NextRelease {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-next-release-'));
  const argumentsOf = (name: ProgramName): string[] =>
    programArguments(name).map((argument) => moved(argument, name, folder));
  for (const name of PROGRAMS) {
    const file = programArguments(name).at(-1) ?? '';
    cpSync(join(file, '..'), join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'migrations', '9999_next_release.sql'), sql);
  }
  return {
    argumentsOf,
    migrate: async (databaseUrl) => {
      const { stdout, stderr } = await promisify(execFile)(
        process.execPath,
        [...argumentsOf('tools'), 'migrate'],
        { env: { DATABASE_URL: databaseUrl }, timeout: 60_000 },
      );
      return stderr + stdout;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Maps the path of `…/dist/core/main.mjs` to the other folder. */
function moved(argument: string, name: string, folder: string): string {
  const end = `${sep}${join(name, 'main.mjs')}`;
  return argument.endsWith(end) ? join(folder, name, 'main.mjs') : argument;
}
