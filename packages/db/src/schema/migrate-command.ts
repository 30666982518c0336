import { ConfigError, readConfig } from '@gatehouse/runtime';
import { Optional, Type } from '@gatehouse/schema';
import { connectDb } from '../postgres/connect.ts';
import { statement } from '../postgres/statements.ts';
import { databaseSettings } from '../postgres/server/postgres-url.ts';
import { applyGrants, ensureLogins, RolesMissing } from './grants.ts';
import { migrate, UnusableDatabase } from './migrate.ts';

const password = (service: string) =>
  Optional.String({ minLength: 16, writeOnly: true, description: `lets ${service}'s role log in with it` });

const SETTINGS = Type.Object({
  DATABASE_URL: Type.String({ description: 'the database, as the owner of its tables' }),
  DATABASE_CA: databaseSettings().DATABASE_CA,
  CORE_DATABASE_PASSWORD: password('Core'),
  PORTAL_DATABASE_PASSWORD: password('Portal'),
  ADMIN_DATABASE_PASSWORD: password('Admin'),
  MAIL_WORKER_DATABASE_PASSWORD: password('the mail worker'),
  HOOK_WORKER_DATABASE_PASSWORD: password('the hook worker'),
  AUDIT_KEEP_DAYS: Optional.Integer({
    minimum: 0,
    maximum: 36_500,
    description: 'how long the database keeps the audit, whatever Admin requests; 0 forever',
  }),
});

/** Migrates the configured database to the newest schema and gives each service its rights; returns the exit code. */
export async function migrateCommand(
  say: {
    out: (text: string) => void;
    err: (text: string) => void;
  },
  environment?: NodeJS.ProcessEnv,
): Promise<number> {
  const config = readSettings(environment);
  const db = connectDb({
    url: config.DATABASE_URL,
    ca: config.DATABASE_CA,
    applicationName: 'gatehouse-migrate',
    poolMax: 2,
    hasLongTimeouts: true,
  });
  try {
    let waitsFor = '';
    const applied = await migrate(db, {
      waiting: (name) => {
        if (name !== waitsFor) say.err(`${name} waits: another transaction has locked what it changes\n`);
        waitsFor = name;
      },
    });
    say.out(applied.length === 0 ? 'the schema is up to date\n' : `applied ${applied.join(', ')}\n`);
    await applyGrants(db);
    await ensureLogins(db, 'gatehouse', {
      core: config.CORE_DATABASE_PASSWORD,
      portal: config.PORTAL_DATABASE_PASSWORD,
      admin: config.ADMIN_DATABASE_PASSWORD,
      'mail-worker': config.MAIL_WORKER_DATABASE_PASSWORD,
      'hook-worker': config.HOOK_WORKER_DATABASE_PASSWORD,
    });
    if (config.AUDIT_KEEP_DAYS !== undefined) await keepAuditFor(db, config.AUDIT_KEEP_DAYS);
    say.out('every service has what grants.sql gives it, and no more\n');
    return 0;
  } catch (error) {
    if (error instanceof RolesMissing) say.err(`the services have no access yet: ${error.message}\n`);
    else if (error instanceof UnusableDatabase) say.err(`${error.message}\n`);
    else throw error;
    return 1;
  } finally {
    await db.destroy();
  }
}

/** @throws {ConfigError} also if the retention of the audit is below its minimum. */
function readSettings(environment: NodeJS.ProcessEnv | undefined) {
  const config = readConfig(SETTINGS, environment);
  const { AUDIT_KEEP_DAYS: days = 0 } = config;
  if (days > 0 && days < AUDIT_DAYS_MIN)
    throw new ConfigError(`AUDIT_KEEP_DAYS must be 0, for ever, or at least ${AUDIT_DAYS_MIN}`);
  return config;
}

/** The same minimum as in the database. */
const AUDIT_DAYS_MIN = 90;

/**
 * Makes the database keep audit entries for at least this number of days, whatever Admin requests; 0: forever. Only the
 * owner of the tables may call it.
 */
const keepAuditFor = statement.run<[days: number]>('update audit_bound set keep_days = ?');
