import { authoritySetting, ConfigError, setting, trustOf } from '@gatehouse/runtime';
import { Type, type Static, type TObject } from '@gatehouse/schema';

export function databaseSettings() {
  return {
    DATABASE_URL: Type.String({
      pattern: /^postgres(ql)?:\/\//.source,
      writeOnly: true,
      description: 'The Postgres to use, with this service’s own role; its standbys beside it, with commas',
    }),
    DATABASE_CA: authoritySetting('Postgres'),
    DATABASE_POOL_MAX: Type.Integer({
      default: 10,
      minimum: 1,
      maximum: 500,
      description: 'The most connections to Postgres that one process holds',
    }),
    DATABASE_PREPARE: setting(true, 'Whether frequent statements are prepared by name'),
  };
}

export type DatabaseSettings = Readonly<Static<TObject<ReturnType<typeof databaseSettings>>>>;

/**
 * Reads the servers of `DATABASE_URL` (`postgres://user:password@one:5432,two:5432/database`) and `sslmode`.
 * `verify-full`, `verify-ca` and `require` all verify authority and host name: as defined, the weaker two allow an
 * eavesdropper, and their meaning changes between versions of the driver. `disable` or none: no TLS. Other modes leave
 * the choice to the server, or to an attacker in front of it. @throws {ConfigError} without a secret value.
 */
export function readPostgresUrl(text: string, ca: string | undefined) {
  const urls = readServers(text);
  const [first] = urls;
  if (first === undefined)
    throw new ConfigError('DATABASE_URL must be a URL: postgres://user:password@host/database');
  const [mode = 'disable', ...others] = first.searchParams.getAll('sslmode');
  if (others.length > 0 || (!TLS_MODES.has(mode) && mode !== 'disable'))
    throw new ConfigError('DATABASE_URL must have sslmode=verify-full, or sslmode=disable for no TLS at all');
  const attributes = first.searchParams.get('target_session_attrs') ?? 'read-write';
  if (attributes !== 'read-write' && attributes !== 'primary')
    throw new ConfigError('DATABASE_URL must not have target_session_attrs other than read-write');
  for (const { searchParams } of urls)
    for (const name of ['sslmode', 'target_session_attrs']) searchParams.delete(name);
  for (const name of first.searchParams.keys()) {
    // The driver reads these parameters in addition to sslmode, and some of them disable verification.
    if (/^(ssl|uselibpqcompat)/.test(name)) {
      throw new ConfigError(
        `DATABASE_URL must not have ${name}: sslmode and DATABASE_CA say all there is to say`,
      );
    }
  }
  return {
    /** One connection string for each server, in the given order: the primary and its standbys. */
    servers: urls.map(({ href }) => href),
    connectionString: first.href,
    ssl: trustOf({ name: 'DATABASE', isTls: TLS_MODES.has(mode), ca }) ?? false,
  };
}

const TLS_MODES = new Set(['verify-full', 'verify-ca', 'require']);

/** A URL for each server; none if one of them is not a valid URL. */
function readServers(text: string): URL[] {
  const start = text.indexOf('://') + 3;
  const length = text.slice(start).search(/[/?#]|$/);
  const authority = text.slice(start, start + length);
  const hostsAt = authority.lastIndexOf('@') + 1;
  const before = text.slice(0, start) + authority.slice(0, hostsAt);
  const hosts = authority.slice(hostsAt).split(',');
  const texts = hosts.map((host) => before + host + text.slice(start + length));
  return texts.every((one) => URL.canParse(one)) ? texts.map((one) => new URL(one)) : [];
}
