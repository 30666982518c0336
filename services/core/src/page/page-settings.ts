import { readLocales } from '@gatehouse/brand';
import { ConfigError, readPageAddresses, readReturnUrls } from '@gatehouse/runtime';

export interface PageSettings {
  providers: { Id: string; Name: string; LoginUrl: string }[];
  addresses: { AppUrl?: string; ContentUrl?: string; SupportUrl?: string };
  /** The addresses where browsers may be redirected; compared exactly. */
  returnUrls: readonly string[];
  locales: string[];
}

/** @throws {ConfigError} that lists every error. */
export function readPageSettings(
  config: Parameters<typeof readPageAddresses>[0] & {
    readonly ADMIN_URL?: string | undefined;
    readonly RETURN_URLS: string;
    readonly LOCALES_DIRECTORY?: string | undefined;
    readonly SSO_PROVIDER_NAMES: string;
  },
): PageSettings {
  const { appUrl, contentUrl, supportUrl } = readPageAddresses(config);
  // The languages of pages and mails, whose texts Core does not use.
  const { names } = readLocales(config.LOCALES_DIRECTORY, { en: {}, de: {} }, () => false);
  return {
    providers: readProviders(config.SSO_PROVIDER_NAMES, config.ADMIN_URL),
    addresses: {
      ...(appUrl !== undefined && { AppUrl: appUrl }),
      ...(contentUrl !== undefined && { ContentUrl: contentUrl }),
      ...(supportUrl !== undefined && { SupportUrl: supportUrl }),
    },
    returnUrls: readReturnUrls(config.RETURN_URLS),
    locales: ['en', ...names.filter((name) => name !== 'en')],
  };
}

function readProviders(list: string, adminUrl: string | undefined): PageSettings['providers'] {
  const entries = list.split(',').flatMap((entry) => entry.trim() || []);
  if (entries.length > 0 && adminUrl === undefined)
    throw new ConfigError('ADMIN_URL is required with SSO_PROVIDER_NAMES: single sign-on starts there');
  const providers = entries.map((entry) => {
    const [, Id, name] = /^([a-z0-9-]{1,32})(?:=([^=\p{Cc}]{1,64}))?$/u.exec(entry) ?? [];
    if (Id === undefined)
      throw new ConfigError(
        'SSO_PROVIDER_NAMES must be a comma-separated list of ids, each with =name or without',
      );
    const LoginUrl = `${adminUrl?.replace(/(?<!\/)\/+$/, '')}/auth/${Id}/login`;
    return { Id, Name: name?.trim() ?? Id, LoginUrl };
  });
  if (new Set(providers.map(({ Id }) => Id)).size < providers.length)
    throw new ConfigError('SSO_PROVIDER_NAMES must name each provider once');
  return providers;
}
