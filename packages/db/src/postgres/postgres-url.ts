import { ConfigError, trustOf, type Trust } from '@gatehouse/runtime';

interface PostgresAddress {
  connectionString: string;
  ssl: Trust | false;
}

/**
 * Reads the encryption that `DATABASE_URL` asks for. `sslmode=verify-full`, `verify-ca` and `require` all check the
 * certificate’s authority and host name: by themselves the weaker two allow an eavesdropper in between, and their
 * meaning changes between versions of the driver. `disable` or nothing: no TLS. Other modes, which leave it to the
 * server or to an attacker in front of it, are refused.
 *
 * @throws {ConfigError} naming the parameter, never its value’s secrets.
 */
export function readPostgresUrl(text: string, ca: string | undefined): PostgresAddress {
  if (!URL.canParse(text))
    throw new ConfigError('DATABASE_URL must be a URL: postgres://user:password@host/database');
  const url = new URL(text);
  const [mode = 'disable', ...others] = url.searchParams.getAll('sslmode');
  if (others.length > 0 || (!TLS_MODES.has(mode) && mode !== 'disable')) {
    throw new ConfigError('DATABASE_URL must have sslmode=verify-full, or sslmode=disable for no TLS at all');
  }
  url.searchParams.delete('sslmode');
  for (const name of url.searchParams.keys()) {
    // The driver reads these beside sslmode, and some of them switch the check off.
    if (/^(ssl|uselibpqcompat)/.test(name)) {
      throw new ConfigError(
        `DATABASE_URL must not have ${name}: sslmode and DATABASE_CA say all there is to say`,
      );
    }
  }
  return {
    connectionString: url.href,
    ssl: trustOf({ name: 'DATABASE', isTls: TLS_MODES.has(mode), ca }) ?? false,
  };
}

const TLS_MODES = new Set(['verify-full', 'verify-ca', 'require']);
