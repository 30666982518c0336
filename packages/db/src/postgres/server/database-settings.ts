import { authoritySetting, setting } from '@gatehouse/runtime';
import { Type } from '@gatehouse/schema';

/** The settings of a service's connections to Postgres. */
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
