import { createHookSeal } from '@gatehouse/events';
import { ConfigError, createEgressRules } from '@gatehouse/runtime';
import type { Deps } from './deps.ts';

/** What administrators are told where webhooks are off. */
export const WEBHOOKS_OFF = 'Webhooks are off: set WEBHOOKS=on, and run the hook worker';

/** The settings of webhooks. */
export interface WebhookSettings {
  readonly WEBHOOKS?: 'off' | 'on';
  readonly HOOK_PUBLIC_KEY?: string | undefined;
  readonly WEBHOOK_NETWORKS?: string;
}

/**
 * What the endpoints of webhooks need.
 *
 * @throws {ConfigError} if webhooks are on without a key, or for a malformed setting.
 */
export function openWebhooks(settings: WebhookSettings): Pick<Deps, 'sealHookSecret' | 'egressRules'> {
  const { WEBHOOKS: isOn = 'off', HOOK_PUBLIC_KEY: key, WEBHOOK_NETWORKS: networks = '' } = settings;
  if (isOn === 'on' && key === undefined) throw new ConfigError('WEBHOOKS=on needs HOOK_PUBLIC_KEY');
  return {
    sealHookSecret: isOn === 'on' && key !== undefined ? createHookSeal(key) : undefined,
    egressRules: createEgressRules(networks),
  };
}
