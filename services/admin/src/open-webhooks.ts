import { createHookSeal } from '@gatehouse/events';
import { ConfigError, createEgressRules, type EgressFault, type EgressRules } from '@gatehouse/runtime';
import { invalidField } from '@gatehouse/http';
import type { Deps } from './deps.ts';

export const WEBHOOKS_OFF = 'Webhooks are off: set WEBHOOKS=on, and run the hook worker';

export interface WebhookSettings {
  readonly WEBHOOKS?: 'off' | 'on';
  readonly HOOK_PUBLIC_KEY?: string | undefined;
  readonly WEBHOOK_NETWORKS?: string;
}

/** @throws {ConfigError} if webhooks are on without a key, or for a malformed setting. */
export function openWebhooks(settings: WebhookSettings): Pick<Deps, 'sealHookSecret' | 'egressRules'> {
  const { WEBHOOKS: isOn = 'off', HOOK_PUBLIC_KEY: key, WEBHOOK_NETWORKS: networks = '' } = settings;
  if (isOn === 'on' && key === undefined) throw new ConfigError('WEBHOOKS=on needs HOOK_PUBLIC_KEY');
  return {
    sealHookSecret: isOn === 'on' && key !== undefined ? createHookSeal(key) : undefined,
    egressRules: createEgressRules(networks),
  };
}

/**
 * Refuses (400) a URL that the hook worker would not call, which checks again at each delivery, with the addresses of the
 * name. Returns it as parsed: the parser drops line breaks and blanks around it, so what is shown is what is called.
 */
export function checkedUrl(rules: EgressRules, url: string): string {
  const fault = rules.faultOf(url);
  if (fault === undefined) return new URL(url).href;
  throw invalidField('/Url', MESSAGES[fault], fault === 'not_a_url' ? 'not_a_uri' : 'malformed');
}

export function callFault(rules: EgressRules, url: string): string | undefined {
  const fault = rules.faultOf(url);
  return fault && MESSAGES[fault];
}

const MESSAGES: Record<EgressFault, string> = {
  not_a_url: 'must be a URL',
  not_https: 'must begin with https://',
  has_credentials: 'must contain no user name or password',
  address_not_allowed: 'must be on the Internet, or allowed by WEBHOOK_NETWORKS',
};
