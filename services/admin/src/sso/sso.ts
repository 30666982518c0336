import { browserSiteOf } from '@gatehouse/auth-core';
import { ConfigError, createProxyFor, type Log } from '@gatehouse/runtime';
import { CONSOLE_PATHS, PAGE_PATHS, type PagePath } from '@gatehouse/schema';
import { createAttempts, type Attempts, type OwnPage } from './attempt/attempts.ts';
import { createGithubProvider } from './provider/github-provider.ts';
import { createOpenidProvider } from './provider/openid-provider.ts';
import { messagesOf, refusalOf, type ProviderRefusal } from './provider/provider-fault.ts';
import { readProviderSettings, type ProviderSettings } from './provider/provider-settings.ts';
import type { Provider, ProviderOptions } from './provider/provider.ts';

export interface Sso {
  attempts: Attempts;
  /** The addresses of our own pages that begin sign-ons; `undefined` if cookies cannot be set there. */
  pages: Readonly<Record<OwnPage, string | undefined>>;
  providers: readonly Provider[];
  find(providerId: string): Provider | undefined;
  callbackUrl(providerId: string): string;
}

/** @throws {ConfigError} that lists every error. It makes no requests: a provider may be down at the start. */
export function openSso(options: {
  settings: {
    readonly SSO_PROVIDERS?: string | undefined;
    readonly ADMIN_URL?: string | undefined;
    readonly PUBLIC_URL?: string | undefined;
    readonly ISSUER: string;
    readonly TOKEN_SECRET: string;
    readonly HTTPS_PROXY?: string | undefined;
    readonly NO_PROXY?: string | undefined;
  };
  now: () => number;
  log: Log;
}): Sso {
  const { settings, now, log } = options;
  const listed = readProviderSettings(settings.SSO_PROVIDERS);
  const adminUrl = settings.ADMIN_URL?.replace(/(?<!\/)\/+$/, '');
  if (listed.length > 0 && adminUrl === undefined)
    throw new ConfigError(
      'ADMIN_URL is required with SSO_PROVIDERS: identity providers redirect browsers to it',
    );
  const proxyFor = createProxyFor(settings);
  const callbackUrl = (id: string) => `${adminUrl ?? '{ADMIN_URL}'}/auth/${id}/callback`;
  const providers = new Map(
    listed.map((provider): [string, Provider] => [
      provider.id,
      createProvider(provider, { callbackUrl: callbackUrl(provider.id), log, proxyFor }),
    ]),
  );
  const consoleSite = adminUrl === undefined ? undefined : browserSiteOf('console', adminUrl);
  const publicUrl = settings.PUBLIC_URL ?? settings.ISSUER;
  return {
    attempts: createAttempts({ secret: settings.TOKEN_SECRET, now }),
    pages: {
      pages: accountPage(publicUrl, PAGE_PATHS.login),
      link: accountPage(publicUrl, PAGE_PATHS.profileSecurity),
      console: consoleSite && `${consoleSite.origin}${CONSOLE_PATHS[0]}`,
    },
    providers: [...providers.values()],
    find: (providerId) => providers.get(providerId),
    callbackUrl,
  };
}

function createProvider(settings: ProviderSettings, options: Omit<ProviderOptions, 'refuse'>): Provider {
  const refuse = (error: unknown): ProviderRefusal => {
    const refusal = refusalOf(error);
    const facts = { provider: settings.id, refusal, reason: messagesOf(error) };
    options.log.warn('single sign-on failed at the identity provider', facts);
    return refusal;
  };
  const create = settings.kind === 'github' ? createGithubProvider : createOpenidProvider;
  return create(settings, { ...options, refuse });
}

function accountPage(publicUrl: string, path: PagePath): string | undefined {
  return browserSiteOf('pages', publicUrl) && `${publicUrl.replace(/\/$/, '')}${path}`;
}
