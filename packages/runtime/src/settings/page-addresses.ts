import { CONTENT_PLACE, Optional, Type } from '@gatehouse/schema';
import { ConfigError, listed } from './config.ts';

/** The addresses that pages and mails link to, besides `PUBLIC_URL`. */
export interface PageAddresses {
  /** The app that users continue to. */
  appUrl?: string;
  /** The address of shared content, with `{ContentDefinitionId}` as the placeholder of its id. */
  contentUrl?: string;
  supportUrl?: string;
}

export function pageAddressSettings() {
  return {
    APP_URL: address('The app to continue to after a login or a registration'),
    CONTENT_URL: address(`Where content is opened, with ${CONTENT_PLACE} in the place of its id`),
    SUPPORT_URL: address('The URL of the support page'),
  };
}

/** The setting that lists where browsers may be redirected after a login; `readReturnUrls` validates it. */
export function returnUrlSettings() {
  return {
    RETURN_URLS: Type.String({
      default: '',
      maxLength: 32_768,
      description: 'URLs, with commas, that a login page may send browsers back to; compared exactly',
    }),
  };
}

/** @throws {ConfigError} that lists every error. */
export function readPageAddresses(config: {
  readonly APP_URL?: string | undefined;
  readonly CONTENT_URL?: string | undefined;
  readonly SUPPORT_URL?: string | undefined;
}): PageAddresses {
  const { APP_URL: appUrl, CONTENT_URL: contentUrl, SUPPORT_URL: supportUrl } = config;
  const faults = [
    ...(appUrl === undefined || isWebAddress(appUrl) ? [] : [`APP_URL ${WEB_ADDRESS}`]),
    ...(contentUrl === undefined ? [] : contentFaults(contentUrl)),
    ...(supportUrl === undefined || isWebAddress(supportUrl) ? [] : [`SUPPORT_URL ${WEB_ADDRESS}`]),
  ];
  if (faults.length > 0)
    throw new ConfigError(`Invalid configuration, ${faults.length} error(s):\n  ${faults.join('\n  ')}`);
  return {
    ...(appUrl !== undefined && { appUrl }),
    ...(contentUrl !== undefined && { contentUrl }),
    ...(supportUrl !== undefined && { supportUrl }),
  };
}

/** @throws {ConfigError} with the position of each invalid one. */
export function readReturnUrls(list: string): string[] {
  const urls = listed(list);
  const faults = urls.flatMap((url, at) => (isReturnUrl(url) ? [] : [`RETURN_URLS: URL ${at + 1}`]));
  if (faults.length === 0) return urls;
  throw new ConfigError(
    `${faults.join(', ')} must be an https URL (http only for localhost) or one of a custom app scheme, ` +
      'without fragment and credentials',
  );
}

const WEB_ADDRESS = 'must be an https URL without fragment and credentials (http only for localhost)';

/** The id must not be able to change the host of the link. */
function contentFaults(template: string): string[] {
  const parts = template.split(CONTENT_PLACE);
  if (parts.length !== 2) return [`CONTENT_URL must contain ${CONTENT_PLACE} once`];
  const [one, other] = ['0', '1'].map((id) => parts.join(id));
  if (one === undefined || other === undefined || !isWebAddress(one)) return [`CONTENT_URL ${WEB_ADDRESS}`];
  return new URL(one).origin === new URL(other).origin
    ? []
    : [`CONTENT_URL must have ${CONTENT_PLACE} in its path or its query`];
}

/** Whether a page or a mail may link to this address. */
function isWebAddress(text: string): boolean {
  const url = addressOf(text);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
}

/** An app's own scheme is a reversed domain name (RFC 8252 §7.1); `javascript:` and `data:` are not. */
function isReturnUrl(text: string): boolean {
  return isWebAddress(text) || /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/.test(addressOf(text)?.protocol ?? '');
}

/** URL parsers disagree about white space and backslashes, so neither is allowed; neither are patterns. */
function addressOf(text: string): URL | undefined {
  if (!/^[^\s\p{Cc}<>"\\#]+$/u.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.username === '' && url.password === '' && !url.hostname.includes('*') ? url : undefined;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

function address(description: string) {
  return Optional.String({ minLength: 1, maxLength: 1024, description });
}
