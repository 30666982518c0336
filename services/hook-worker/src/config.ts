import { databaseSettings } from '@gatehouse/db';
import { brokerSettings } from '@gatehouse/events';
import {
  authoritySetting,
  createEgressRules,
  createProxyFor,
  egressSettings,
  processSettings,
  proxySettings,
  readServiceConfig,
  secret,
  setting,
} from '@gatehouse/runtime';
import { Type } from '@gatehouse/schema';

export const configSchema = Type.Object({
  ...processSettings({ internalPort: 9085 }),
  ...databaseSettings(),
  ...brokerSettings(),
  ...egressSettings(),
  ...proxySettings(),
  WEBHOOK_PROXY: setting(false, 'Whether webhooks go through HTTPS_PROXY'),
  HOOK_KEY: secret('decrypts the secrets of webhooks, which are encrypted with its public key'),
  WEBHOOK_CA: authoritySetting('webhooks, besides those that Node trusts'),
  WEBHOOK_KEEP_DAYS: Type.Integer({
    minimum: 1,
    maximum: 3650,
    default: 30,
    description: 'how long the record of a delivery is kept',
  }),
});

/** @throws {ConfigError} naming all faults that the schema detects, or otherwise the first other fault. */
export function readHookConfig(environment?: NodeJS.ProcessEnv) {
  const config = readServiceConfig(configSchema, environment);
  const proxyFor = createProxyFor(config.WEBHOOK_PROXY ? config : {});
  return { ...config, rules: createEgressRules(config.WEBHOOK_NETWORKS), proxyFor };
}
