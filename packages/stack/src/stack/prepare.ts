import { existsSync } from 'node:fs';
import { readConfig, secret } from '@gatehouse/runtime';
import { Type } from '@gatehouse/schema';
import { environment } from './environment.ts';
import type { Progress } from '../output/progress.ts';
import { runTool } from '../commands/run-tool.ts';
import type { Secrets } from './secrets.ts';
import { seed } from './seed.ts';
import { deriveSecrets, SIGNING_KEYS } from './service-secrets.ts';

/** Makes what must be there before the services: keys, tables, the first accounts. */
export async function prepare(options: {
  progress: Progress;
  settings: NodeJS.ProcessEnv;
  secrets: Secrets;
  databaseUrl: string;
}) {
  const { progress, settings, secrets, databaseUrl } = options;
  const keys = secrets.path(SIGNING_KEYS);
  if (!existsSync(keys)) {
    await progress.step('make the signing keys', () => runTool(['keys', 'create', keys], settings));
  }
  deriveSecrets(settings, secrets);
  await progress.step('migrate the database', () =>
    runTool(['migrate'], { PATH: settings['PATH'], DATABASE_URL: databaseUrl }),
  );
  return progress.step('seed the first accounts', () =>
    seed({
      databaseUrl,
      pepper: readConfig(
        Type.Object({ PASSWORD_PEPPER: secret('as the services have it') }),
        environment(settings, { PASSWORD_PEPPER_FILE: secrets.file('password-pepper') }, {}),
      ).PASSWORD_PEPPER,
      passwords: { admin: secrets.value('admin-password', 10), user: secrets.value('user-password', 10) },
    }),
  );
}
