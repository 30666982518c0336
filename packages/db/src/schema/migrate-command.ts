import { readConfig } from '@gatehouse/runtime';
import { Type } from '@gatehouse/schema';
import { connectDb } from '../postgres/connect.ts';
import { databaseSettings } from '../postgres/database-settings.ts';
import { applyGrants, ensureLogins, RolesMissing } from './grants.ts';
import { migrate } from './migrate.ts';

const password = (service: string) =>
  Type.Optional(
    Type.String({ minLength: 16, writeOnly: true, description: `lets ${service}'s role log in with it` }),
  );

const SETTINGS = Type.Object({
  DATABASE_URL: Type.String({ description: 'the database, as the owner of its tables' }),
  DATABASE_CA: databaseSettings().DATABASE_CA,
  CORE_DATABASE_PASSWORD: password('Core'),
  PORTAL_DATABASE_PASSWORD: password('Portal'),
  ADMIN_DATABASE_PASSWORD: password('Admin'),
  MAIL_WORKER_DATABASE_PASSWORD: password('the mail worker'),
});

/** Brings the database of the settings to the newest schema and gives each service its rights; returns the exit code. */
export async function migrateCommand(say: {
  out: (text: string) => void;
  err: (text: string) => void;
}): Promise<number> {
  const config = readConfig(SETTINGS);
  const db = connectDb({
    url: config.DATABASE_URL,
    ca: config.DATABASE_CA,
    applicationName: 'gatehouse-migrate',
    poolMax: 1,
    isPatient: true,
  });
  try {
    const applied = await migrate(db);
    say.out(applied.length === 0 ? 'the schema is up to date\n' : `applied ${applied.join(', ')}\n`);
    await applyGrants(db);
    await ensureLogins(db, 'gatehouse', {
      core: config.CORE_DATABASE_PASSWORD,
      portal: config.PORTAL_DATABASE_PASSWORD,
      admin: config.ADMIN_DATABASE_PASSWORD,
      'mail-worker': config.MAIL_WORKER_DATABASE_PASSWORD,
    });
    say.out('every service has what grants.sql gives it, and no more\n');
    return 0;
  } catch (error) {
    if (!(error instanceof RolesMissing)) throw error;
    say.err(`the services have no access yet: ${error.message}\n`);
    return 1;
  } finally {
    await db.destroy();
  }
}
