import { readFileSync } from 'node:fs';
import type { Log } from '../log/log.ts';
import { compile, Optional, Type, type Static, type TObject } from '@gatehouse/schema';

/** Everything that is wrong with the settings. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** Logs what is wrong with the settings. Whoever starts the process in a terminal gets it as lines, too. */
export function reportFault(log: Log, fault: ConfigError): void {
  log.error(fault.message);
  if (process.stderr.isTTY) process.stderr.write(`\n${fault.message}\n`);
}

/**
 * Reads settings from the environment by a schema whose properties have the variables’ names. Values are converted to
 * the schema’s types, and defaults are filled in; an empty value counts as absent. `NAME_FILE` names a file that
 * contains the value of `NAME`, for mounted secrets; setting both is an error, as one would be silently ignored.
 *
 * @throws {ConfigError} that lists every error, but no values (they may be secrets).
 */
export function readConfig<T extends TObject>(schema: T, environment = process.env): Static<T> {
  const values: Record<string, string> = {};
  const faults: string[] = [];
  for (const name of Object.keys(schema.properties)) {
    const direct = environment[name];
    const file = environment[`${name}_FILE`];
    const ownsFile = `${name}_FILE` in schema.properties;
    if (direct !== undefined && direct !== '') values[name] = direct;
    if (ownsFile || file === undefined || file === '') continue;
    if (values[name] !== undefined) faults.push(`${name} and ${name}_FILE are both set: keep one`);
    else {
      try {
        const text = readFileSync(file, 'utf8').trim();
        if (text !== '') values[name] = text;
      } catch (error) {
        faults.push(`${name}_FILE cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'})`);
      }
    }
  }
  const problems = compile(schema, { unknownFields: 'drop', coerce: true })(values) ?? [];
  for (const { pointer, message } of problems) faults.push(`${pointer.slice(1)} ${message}`);
  if (faults.length > 0)
    throw new ConfigError(`Invalid configuration, ${faults.length} error(s):\n  ${faults.join('\n  ')}`);
  return values as Static<T>;
}

/**
 * Refuses keys of others: who takes over the service must not find them there.
 *
 * @throws {ConfigError} as `readConfig`.
 */
export function readServiceConfig<T extends TObject>(schema: T, environment = process.env): Static<T> {
  const foreign = KEYS.flatMap((name) => [name, `${name}_FILE`]).filter(
    (name) => (environment[name] ?? '') !== '' && !(name.replace(/_FILE$/, '') in schema.properties),
  );
  if (foreign.length > 0) {
    throw new ConfigError(
      `This service must not be given ${foreign.join(', ')}: remove settings that it does not use (docs/least-privilege.md)`,
    );
  }
  return readConfig(schema, environment);
}

/** Keys that may only be given to services that use them. */
const KEYS = [
  'SIGNING_KEYS',
  'ID_TOKEN_KEYS',
  'TOKEN_SECRET',
  'PASSWORD_PEPPER',
  'TWO_FACTOR_KEY',
  'MAIL_KEY',
  'HOOK_KEY',
] as const;

/** The entries of a setting that separates them by commas. */
export function listed(list: string): string[] {
  return list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** A setting with its default and a description of one line, which the documentation shows. */
export function setting<T extends string | number | boolean>(standard: T, description: string) {
  const schema =
    typeof standard === 'number'
      ? Type.Number({ default: standard, description, minimum: 0 })
      : typeof standard === 'boolean'
        ? Type.Boolean({ default: standard, description })
        : Type.String({ default: standard, description });
  return Type.Unsafe<T extends number ? number : T extends boolean ? boolean : string>(schema);
}

/** A secret of at least 32 characters. It has no default, as every installation would share it. */
export function secret(description: string) {
  return Type.String({ minLength: 32, description, writeOnly: true });
}

export function optionalSecret(description: string) {
  return Optional.String({ minLength: 1, description, writeOnly: true });
}
