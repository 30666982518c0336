/**
 * The settings that a stack always sets for its services, regardless of the environment: where each process listens,
 * and the servers that it started. `services.ts` sets them.
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

/** One line for each setting of the environment that the stack replaces. */
export function ignoredSettings(settings: NodeJS.ProcessEnv): string[] {
  return FIXED.flatMap((name) => [name, `${name}_FILE`])
    .filter((name) => settings[name] !== undefined && settings[name] !== '')
    .map((name) => `! ${name} in the environment is ignored: the local stack sets it`);
}
