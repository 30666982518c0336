/**
 * The settings that a stack gives its services whatever the environment says: where each process listens, and the
 * servers that it started. `services.ts` sets them.
 */
const FIXED = [
  'HOST',
  'PORT',
  'INTERNAL_HOST',
  'INTERNAL_PORT',
  'DATABASE_URL',
  'REDIS_URL',
  'REDIS_CLUSTER',
  'AMQP_URL',
  'SMTP_URL',
];

/** A line for each setting of the environment that a stack replaces by its own. */
export function ignoredSettings(settings: NodeJS.ProcessEnv): string[] {
  return FIXED.flatMap((name) => [name, `${name}_FILE`])
    .filter((name) => settings[name] !== undefined && settings[name] !== '')
    .map((name) => `! ${name} in the environment is ignored: the local stack sets it`);
}
