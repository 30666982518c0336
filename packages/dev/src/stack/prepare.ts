import { existsSync } from 'node:fs';
import type { Progress } from '../command.ts';
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
  /** Set if the database should be filled with demo data: the issuer of its single sign-on. */
  demoIssuer: string | undefined;
}) {
  const { progress, settings, secrets, databaseUrl, demoIssuer: issuer } = options;
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
    seed({ databaseUrl, pepper: keys.pepper, passwords }),
  );
  if (issuer !== undefined) {
    const isFilled = await progress.step('fill the database with demo data', () =>
      seedDemo({ databaseUrl, ...keys, password: passwords.user, issuer }),
    );
    if (!isFilled) progress.line('  the demo data of an earlier start is there already');
  }
  return seeded;
}
