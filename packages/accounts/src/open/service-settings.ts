import type { AccountSettings } from '../deps.ts';
import type { KeySettings } from './service-keys.ts';

/** Settings that every service has, beside those that decide about accounts. */
export interface ServiceSettings extends AccountSettings, KeySettings {
  readonly DATABASE_URL: string;
  readonly DATABASE_CA?: string | undefined;
  readonly DATABASE_POOL_MAX: number;
  readonly DATABASE_PREPARE: boolean;
  readonly REDIS_URL: string;
  readonly REDIS_CA?: string | undefined;
  readonly REDIS_CLUSTER: boolean;
  readonly AMQP_URL: string;
  readonly AMQP_CA?: string | undefined;
  readonly ISSUER: string;
  readonly AUDIENCE: string;
  readonly TOKEN_LEEWAY_SECONDS: number;
  readonly PASSWORD_PEPPER: string;
  readonly BCRYPT_COST: number;
  readonly HASH_THREADS: number;
  readonly MAIL_PUBLIC_KEY: string;
}
