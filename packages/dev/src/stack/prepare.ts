import { existsSync } from 'node:fs';
import { Unavailable } from '@gatehouse/runtime';
import type { Progress } from '../command.ts';
import { demoFacesUrl } from '../demo/demos.ts';
import { seedDemo } from '../demo/seed-demo.ts';
import { allEnded } from '../processes/supervisor.ts';
import { runTool } from './programs.ts';
import { deriveSecrets, ID_TOKEN_KEYS, SIGNING_KEYS, type Secrets } from './secrets.ts';
import { seed } from './seed.ts';

/** Creates what the services need before they start: keys, tables and the first accounts. */
export async function prepare(options: {
  progress: Progress;
  settings: NodeJS.ProcessEnv;
  secrets: Secrets;
  databaseUrl: string;
  /** Set if the database should be filled with demo data; `issuer` is that of its single sign-on. */
  demo: { issuer: string } | undefined;
}) {
  const { progress, settings, secrets, databaseUrl, demo } = options;
  const makeKeys = async (command: string, name: string): Promise<void> => {
    const file = secrets.path(name);
    if (existsSync(file)) return;
    const title = name.replace('.json', '').replaceAll('-', ' ');
    await progress.step(`make the ${title}`, () => runTool(['keys', command, file], settings));
  };
  await allEnded([
    makeKeys('create', SIGNING_KEYS),
    makeKeys('create-id-tokens', ID_TOKEN_KEYS),
    progress.step('migrate the database', () =>
      runTool(['migrate'], { PATH: settings['PATH'], DATABASE_URL: databaseUrl }),
    ),
  ]);
  const keys = deriveSecrets(settings, secrets);
  const passwords = { admin: secrets.value('admin-password', 10), user: secrets.value('user-password', 10) };
  const seeded = await progress.step('seed the first accounts', () =>
    patiently(() => seed({ databaseUrl, pepper: keys.pepper, passwords })),
  );
  if (demo !== undefined) {
    const given = { databaseUrl, ...keys, password: passwords.user };
    const isFilled = await progress.step('fill the database with demo data', () =>
      patiently(() => seedDemo({ ...given, issuer: demo.issuer, facesUrl: demoFacesUrl(demo.issuer) })),
    );
    if (!isFilled) progress.line('  the demo data of an earlier start is there already');
  }
  return seeded;
}

const TRIES_MAX = 6;

/**
 * Repeats what was too slow for a request, where nobody waits for one: on a busy machine hashing a password may take
 * longer, as its threads have a low priority.
 */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Unavailable) || tries === TRIES_MAX) throw error;
    }
  }
}
