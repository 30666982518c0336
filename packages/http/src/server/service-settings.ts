import { authoritySetting, optionalSecret, secret, setting } from '@gatehouse/runtime';
import { Enum, Type } from '@gatehouse/schema';

/**
 * The settings that Core, Portal and Admin share, as properties for the schema that `readConfig` reads:
 * `Type.Object({ ...serviceSettings({ port: 8081, internalPort: 9081 }), OWN_SETTING: … })`.
 */
export function serviceSettings(ports: { port: number; internalPort: number }) {
  return {
    HOST: setting('127.0.0.1', 'The address that the API listens on'),
    PORT: port(ports.port, 'The port of the API; 0 takes a free one'),
    INTERNAL_HOST: setting('127.0.0.1', 'The address that health and metrics listen on'),
    INTERNAL_PORT: port(ports.internalPort, 'The port of health and metrics, for operators alone'),
    LOG_LEVEL: Enum(['error', 'warn', 'info', 'debug'], {
      default: 'info',
      description: 'The least important lines that are logged',
    }),
    TRUST_PROXY: setting(
      '',
      'Addresses or CIDR ranges, with commas, of the proxies whose X-Forwarded-For is believed',
    ),
    CORS_ORIGINS: setting('', 'Origins, with commas, whose browsers may call; compared exactly'),
    ...dependencySettings(),
    ...tokenSettings(),
    ...sessionSettings(),
    ...passwordSettings(),
  };
}

/** What who issues tokens has besides: Core and Admin. */
export function issuingSettings() {
  return {
    SIGNING_KEYS: optionalSecret('The private JWK set as JSON, where there is no SIGNING_KEYS_FILE'),
    SIGNING_KEYS_FILE: Type.Optional(
      Type.String({ description: 'The file with the private JWK set; it is read again while running' }),
    ),
    TOKEN_SECRET: secret('Authenticates refresh tokens, static API tokens and cached sessions'),
  };
}

/** What who checks tokens and issues none has instead: Portal. */
export function verifyingSettings() {
  return {
    VERIFICATION_KEYS: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'The public JWK set as JSON, where there is no VERIFICATION_KEYS_FILE',
      }),
    ),
    VERIFICATION_KEYS_FILE: Type.Optional(
      Type.String({ description: 'The file with the public JWK set; it is read again while running' }),
    ),
    PORTAL_SECRET: secret('Portal’s share of TOKEN_SECRET, which issues nothing'),
  };
}

/** What who checks second factors has besides: Core and Portal. */
export function twoFactorSettings() {
  return {
    TWO_FACTOR_KEY: secret(
      'Encrypts the secrets of authenticator apps; without it nobody’s second factor works',
    ),
  };
}

/** What who serves browsers of the account pages, or sends them there, has besides: Core, Portal and Admin. */
export function pagesSettings() {
  return {
    PUBLIC_URL: Type.Optional(browserAddress('Where browsers reach the account pages; ISSUER by default')),
  };
}

/** What who serves browsers of administrators has besides: Core and Admin. */
export function consoleSettings() {
  return {
    ADMIN_URL: Type.Optional(
      browserAddress('Where browsers reach Admin: identity providers send them back to it'),
    ),
  };
}

function browserAddress(description: string) {
  return Type.String({ format: 'uri', pattern: /^https?:\/\/[^?#]+$/.source, description });
}

function dependencySettings() {
  return {
    DATABASE_URL: address('The Postgres to use, with this service’s own role'),
    DATABASE_CA: authoritySetting('Postgres'),
    DATABASE_POOL_MAX: count(10, 1, 500, 'The most connections to Postgres that one process holds'),
    DATABASE_PREPARE: setting(true, 'Whether statements that come often are planned once a connection'),
    REDIS_URL: Type.String({
      pattern: /^rediss?:\/\/[^,\s]+(,rediss?:\/\/[^,\s]+)*$/.source,
      writeOnly: true,
      description: 'The Redis that holds the cached sessions; nodes of a cluster with commas',
    }),
    REDIS_CA: authoritySetting('Redis'),
    REDIS_CLUSTER: setting(false, 'Whether REDIS_URL names nodes of a Redis Cluster'),
    AMQP_URL: address('The RabbitMQ that events go to'),
    AMQP_CA: authoritySetting('RabbitMQ'),
  };
}

function tokenSettings() {
  return {
    ISSUER: Type.String({
      format: 'uri',
      pattern: /^https?:\/\//.source,
      description: 'The public base URL, which access tokens name as their issuer',
    }),
    AUDIENCE: setting('gatehouse', 'Whom access tokens are for'),
    TOKEN_LEEWAY_SECONDS: seconds(60, 'Clock difference that is forgiven for the issue time of tokens'),
    ACCESS_TOKEN_SECONDS: count(3600, 1, 86_400, 'How long an access token lives, in seconds'),
  };
}

function sessionSettings() {
  return {
    SESSION_IDLE_SECONDS: seconds(7200, 'How long a session lives without ping or refresh', 1),
    SESSION_MAX_SECONDS: seconds(2_592_000, 'How long a session lives after login at most', 1),
    REFRESH_GRACE_SECONDS: seconds(30, 'How long an overtaken refresh token still answers'),
    ONLINE_WINDOW_SECONDS: seconds(90, 'How long after a ping a session counts as online', 1),
    SINGLE_SESSION: setting(true, 'Whether a login replaces the account’s earlier sessions'),
  };
}

function passwordSettings() {
  return {
    PASSWORD_PEPPER: secret('Goes into every password hash; it cannot be changed later'),
    PASSWORD_MIN_LENGTH: count(8, 1, 256, 'The fewest characters of a password'),
    BCRYPT_COST: count(10, 4, 14, 'The cost of a password hash; one more doubles it'),
    HASH_THREADS: count(0, 0, 64, 'Threads that hash passwords; 0 for as many as there are cores'),
    LOGIN_FAILURES_FREE: count(10, 0, 1000, 'Failed logins of an account before waiting starts'),
    DISCLOSE_PENDING_ACCOUNTS: setting(true, 'Whether login tells of an account without a password'),
    TWO_FACTOR_ISSUER: Type.String({
      default: 'Gatehouse',
      // A colon would end the issuer in the app's label.
      pattern: /^[^:]{1,64}$/.source,
      description: 'The name under which authenticator apps show an account',
    }),
    MAIL_PUBLIC_KEY: Type.String({
      pattern: /^[A-Za-z0-9_-]{43}$/.source,
      description: 'Seals what mails carry for the mail worker: the public half of its MAIL_KEY',
    }),
    MAILS_PER_ADDRESS: count(
      2000,
      1,
      1_000_000,
      'Mails that callers from one address may ask for in an hour, registrations and resets together',
    ),
    MAILS_PER_HOUR: count(5, 1, 1000, 'Mails of one kind that one account gets in an hour'),
    GUEST_WITHOUT_CONTENT: Enum(['expire', 'remove'], {
      default: 'expire',
      description: 'What becomes of a guest who has no content left',
    }),
  };
}

function port(standard: number, description: string) {
  return count(standard, 0, 65_535, description);
}

function seconds(standard: number, description: string, minimum = 0) {
  return count(standard, minimum, 2 ** 31, description);
}

function count(standard: number, minimum: number, maximum: number, description: string) {
  return Type.Integer({ default: standard, minimum, maximum, description });
}

/** A dependency's URL; it may hold a password. */
function address(description: string) {
  return Type.String({ format: 'uri', writeOnly: true, description });
}
