import { readFileSync } from 'node:fs';
import { ConfigError, jsonIn } from '@gatehouse/runtime';
import { compile, Enum, Optional, type Static, Type } from '@gatehouse/schema';
import { appleKeyIn, APPLE_SCOPES } from './apple.ts';
import { GroupRules } from './named-groups.ts';

const Claim = (standard: string) => Type.String({ minLength: 1, maxLength: 100, default: standard });

/** One identity provider of `SSO_PROVIDERS` (docs/sso.md). */
const ProviderSettings = Type.Object({
  id: Type.String({ pattern: /^[a-z0-9-]{1,32}$/.source }),
  name: Optional.String({ minLength: 1, maxLength: 64 }),
  kind: Enum(['openid', 'github', 'apple'], { default: 'openid' }),
  issuer: Type.String({ format: 'uri', maxLength: 512 }),
  clientId: Type.String({ minLength: 1, maxLength: 512 }),
  clientSecret: Optional.String({ minLength: 1 }),
  clientSecretFile: Optional.String({ minLength: 1 }),
  /** Of Apple, whose client secret is the private key of this id in the developer's account of this team. */
  teamId: Optional.String({ pattern: /^[A-Z0-9]{10}$/.source }),
  keyId: Optional.String({ pattern: /^[A-Z0-9]{10}$/.source }),
  scopes: Type.Array(Type.String({ pattern: /^[!#-[\]-~]{1,100}$/.source }), {
    minItems: 1,
    maxItems: 50,
    default: ['openid', 'email', 'profile'],
  }),
  claims: Type.Object(
    {
      email: Claim('email'),
      emailVerified: Claim('email_verified'),
      name: Claim('name'),
      groups: Optional.String({ minLength: 1, maxLength: 100 }),
    },
    { default: {} },
  ),
  /** `always`: every address counts as verified, whatever the claims say. */
  emailVerified: Enum(['claim', 'always'], { default: 'claim' }),
  groups: Type.Optional(GroupRules),
  trustEmail: Type.Boolean({ default: false }),
  allowedDomains: Type.Array(Type.String({ pattern: /^[a-z0-9.-]{1,253}$/.source }), {
    maxItems: 1000,
    default: [],
  }),
  provisioning: Enum(['off', 'invited', 'jit'], { default: 'off' }),
  follow: Type.Array(Enum(['name', 'email']), { maxItems: 2, default: [] }),
  returnUrls: Type.Array(Type.String({ format: 'uri', maxLength: 1024 }), { minItems: 1, maxItems: 100 }),
  trustSecondFactor: Type.Boolean({ default: false }),
  /** What asks the provider to have somebody sign in anew. */
  freshPrompt: Enum(['login', 'select_account', 'consent'], { default: 'login' }),
});

/** A provider whose settings have been checked and whose secret has been read. */
export type ProviderSettings = Omit<
  Static<typeof ProviderSettings>,
  'clientSecret' | 'clientSecretFile' | 'returnUrls'
> & { clientSecret: string; returnUrls: [string, ...string[]] };

/** @throws {ConfigError} listing every error, but never a value (some are secrets). */
export function readProviderSettings(json: string | undefined): ProviderSettings[] {
  if (json === undefined) return [];
  const list = jsonIn(json);
  if (!Array.isArray(list)) throw new ConfigError('SSO_PROVIDERS must be a JSON array of identity providers');
  const faults: string[] = [];
  const check = compile(ProviderSettings, { unknownFields: 'refuse', coerce: true });
  const providers = list.flatMap((entry: unknown, at): ProviderSettings[] => {
    const problems = check(entry)?.map(({ pointer, message }) => `${pointer.slice(1)} ${message}`) ?? [];
    // The check above has validated the entry, and converted its values in place.
    const own = problems.length > 0 ? problems : meaningFaults(entry as Static<typeof ProviderSettings>);
    faults.push(...own.map((fault) => `provider ${at + 1}: ${fault}`));
    return own.length > 0 ? [] : withSecret(entry as Static<typeof ProviderSettings>, at, faults);
  });
  const ids = providers.map(({ id }) => id);
  if (new Set(ids).size < ids.length) faults.push('two providers have the same id');
  if (faults.length > 0)
    throw new ConfigError(`Invalid SSO_PROVIDERS, ${faults.length} error(s):\n  ${faults.join('\n  ')}`);
  return providers;
}

function meaningFaults(provider: Static<typeof ProviderSettings>): string[] {
  const faults: string[] = [];
  if (!isIssuer(provider.issuer))
    faults.push('issuer must be an https URL without query or fragment (http only for localhost)');
  const isApple = provider.kind === 'apple';
  if (isApple !== (provider.teamId !== undefined) || isApple !== (provider.keyId !== undefined))
    faults.push('teamId and keyId go with the kind apple, which requires both');
  // Nothing of it is read but the primary email and the name, whose sources are known.
  if (provider.kind === 'github' && (provider.groups !== undefined || provider.emailVerified !== 'claim'))
    faults.push('groups and emailVerified do not go with the kind github');
  if (!provider.scopes.includes('openid')) faults.push('scopes must include openid');
  if ((provider.clientSecret === undefined) === (provider.clientSecretFile === undefined))
    faults.push('exactly one of clientSecret and clientSecretFile is required');
  if (provider.provisioning !== 'off' && !provider.trustEmail)
    faults.push(
      'provisioning requires trustEmail: accounts are created from the email address that the provider asserts',
    );
  if (provider.emailVerified === 'always' && !provider.trustEmail)
    faults.push('emailVerified always requires trustEmail: it says that the addresses can be trusted');
  if (provider.follow.includes('email') && !provider.trustEmail)
    faults.push('follow email requires trustEmail: it sets the address of accounts');
  const { claims, groups } = provider;
  if (groups !== undefined && claims.groups !== undefined)
    faults.push('claims/groups and groups both name a claim: keep groups');
  if (groups !== undefined && (groups.map ?? groups.allow ?? groups.prefix) === undefined)
    faults.push('groups requires map, allow or prefix: which names of the provider count');
  for (const [at, url] of provider.returnUrls.entries())
    if (!isReturnUrl(url))
      faults.push(
        `returnUrls/${at} must be a URL without fragment and credentials (https, http, or a custom app scheme)`,
      );
  return faults;
}

function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') return false;
  return isSecureUrl(url);
}

/** Whether a URL has TLS or, for development, is on this machine. */
export function isSecureUrl(given: string | URL): boolean {
  const url = new URL(given);
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname));
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** An app's own scheme must be a reversed domain name (RFC 8252 §7.1), which excludes `javascript:` and `data:`. */
function isReturnUrl(text: string): boolean {
  if (!URL.canParse(text) || text.includes('#')) return false;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return false;
  return /^(?:https?|[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+):$/.test(url.protocol);
}

function withSecret(
  { clientSecret, clientSecretFile, returnUrls, ...provider }: Static<typeof ProviderSettings>,
  at: number,
  faults: string[],
): ProviderSettings[] {
  const secret = clientSecret ?? readSecret(clientSecretFile ?? '');
  const [first, ...others] = returnUrls;
  if (secret === undefined || secret === '')
    faults.push(`provider ${at + 1}: clientSecretFile cannot be read or is empty`);
  if (provider.kind === 'apple' && secret !== undefined && appleKeyIn(secret) === undefined) {
    faults.push(`provider ${at + 1}: the client secret of Apple must be its private key on P-256, in PEM`);
    return [];
  }
  if (secret === undefined || secret === '' || first === undefined) return [];
  const scopes = provider.kind === 'apple' ? APPLE_SCOPES : provider.scopes;
  return [{ ...provider, scopes, clientSecret: secret, returnUrls: [first, ...others] }];
}

function readSecret(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}
