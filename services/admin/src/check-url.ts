import { invalidField } from '@gatehouse/http';
import type { EgressFault, EgressRules } from '@gatehouse/runtime';

/**
 * Refuses a URL that the hook worker would not call, which checks again at each delivery, with the addresses of the name.
 *
 * @returns the URL as parsed: the parser drops line breaks and blanks around it, so what is shown is what is called.
 * @throws {ApiError} 400 saying why.
 */
export function checkedUrl(rules: EgressRules, url: string): string {
  const fault = rules.faultOf(url);
  if (fault === undefined) return new URL(url).href;
  throw invalidField('/Url', MESSAGES[fault], fault === 'not_a_url' ? 'not_a_uri' : 'malformed');
}

/** Why the hook worker would not call a URL. */
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
