import { describePasswordFault, insertAccount, write, type AccountsDeps } from '@gatehouse/accounts';
import { administrators } from '@gatehouse/db';
import { ConfigError, type Lifecycle, optionalSecret } from '@gatehouse/runtime';
import { normalizeEmail, Optional, type Static, type TObject } from '@gatehouse/schema';

/** Settings that name the first administrator; either both are given or neither. */
export function firstAdminSettings() {
  return {
    FIRST_ADMIN_EMAIL: Optional.String({ description: 'The administrator to create while there is none' }),
    FIRST_ADMIN_PASSWORD: optionalSecret('The password that this administrator begins with'),
  };
}

type FirstAdminSettings = Readonly<Static<TObject<ReturnType<typeof firstAdminSettings>>>>;

const LOOK_SECONDS = 1;

/**
 * Creates the administrator that the settings name if there is no administrator yet, as soon as the database and its
 * tables exist. Any number of processes may call this at once; one of them creates the account.
 *
 * @throws {ConfigError} if an account with these settings could not log in.
 */
export async function bootstrapAdmin(
  deps: AccountsDeps,
  settings: FirstAdminSettings,
  lifecycle: Pick<Lifecycle, 'every'>,
): Promise<void> {
  const admin = await readSettings(deps, settings);
  if (admin === undefined) return;
  let isDone = false;
  lifecycle.every(LOOK_SECONDS, 'creating the first administrator', async () => {
    if (isDone) return;
    const outcome = await createFirstAdmin(deps, admin);
    isDone = true;
    if (outcome.kind === 'created')
      deps.log.info('first administrator created', { accountId: outcome.accountId });
    if (outcome.kind === 'email_taken')
      deps.log.error('FIRST_ADMIN_EMAIL belongs to an account that is not an administrator');
  });
}

/** The result of creating a first administrator; `exists`: there already is one, possibly created a moment ago. */
type FirstAdmin = { kind: 'created'; accountId: string } | { kind: 'exists' } | { kind: 'email_taken' };

/** Creates an administrator unless there is one, whether or not that one can log in. */
export async function createFirstAdmin(
  deps: AccountsDeps,
  { email, password }: { email: string; password: string },
): Promise<FirstAdmin> {
  if (await administrators.exist(deps.db)) return { kind: 'exists' };
  const passwordHash = await deps.passwords.from(undefined).hash(password);
  const system = { actor: { kind: 'System' }, origin: undefined } as const;
  return write<FirstAdmin>(deps, { actor: system.actor }, async (tx) => {
    await administrators.lockRights(tx);
    if (await administrators.exist(tx)) return { kind: 'exists' };
    const given = { email, passwordHash, displayName: undefined, locale: undefined, isMigrated: false };
    const accountId = await insertAccount(tx, { ...given, role: 'Admin' }, system);
    return accountId === undefined ? { kind: 'email_taken' } : { kind: 'created', accountId };
  });
}

async function readSettings(
  deps: Parameters<typeof describePasswordFault>[0],
  { FIRST_ADMIN_EMAIL: given, FIRST_ADMIN_PASSWORD: password }: FirstAdminSettings,
): Promise<{ email: string; password: string } | undefined> {
  if (given === undefined && password === undefined) return undefined;
  if (given === undefined || password === undefined)
    throw new ConfigError('FIRST_ADMIN_EMAIL and FIRST_ADMIN_PASSWORD go together');
  const email = normalizeEmail(given);
  if (email === undefined) throw new ConfigError('FIRST_ADMIN_EMAIL must be an email address');
  const fault = await describePasswordFault(deps, password, email);
  if (fault !== undefined) throw new ConfigError(`FIRST_ADMIN_PASSWORD ${fault.message}`);
  return { email, password };
}
