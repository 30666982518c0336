import { readSid } from '@gatehouse/auth-core';
import { compile, DisplayName, normalizeEmail, typedName } from '@gatehouse/schema';
import type { SsoPerson } from '../attempt/sso-rules.ts';
import type { NamedGroups } from './named-groups.ts';
import type { ProviderSettings } from './provider-settings.ts';

/** What a provider says of a person. It is parsed JSON, and nothing in it is checked yet, but `null` says nothing. */
export type Claims = Record<string, unknown>;

/**
 * The claims of an ID token and, where one that is configured is missing, those of the userinfo endpoint (OpenID Connect
 * Core §5.4). The email and whether it is verified never come from both: one source would then vouch for the email of
 * the other. `fault`: the endpoint did not answer, so that only the ID token says something.
 */
export async function gatherClaims(
  settings: ProviderSettings,
  signed: Claims,
  askUserInfo: (() => Promise<Claims>) | undefined,
): Promise<{ claims: Claims; fault?: unknown }> {
  const idToken = said(signed);
  const { email, emailVerified, name, groups = settings.groups?.claim } = settings.claims;
  const isVouchedFor = vouchesForEmail(settings, idToken);
  const isComplete = isVouchedFor && [name, groups ?? name].every((one) => one in idToken);
  if (isComplete || askUserInfo === undefined) return { claims: idToken };
  try {
    const more = said(await askUserInfo());
    const vouched = isVouchedFor ? idToken : more;
    const address = { [email]: vouched[email], [emailVerified]: vouched[emailVerified] };
    return { claims: { ...more, ...idToken, ...address } };
  } catch (fault) {
    return { claims: isVouchedFor ? idToken : { ...idToken, [email]: undefined }, fault };
  }
}

/** The claims that have a value: some providers send the others as `null`. */
function said(claims: Claims): Claims {
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== null));
}

/** Whether the claims name an email, and say whether it is verified where they are asked. */
export function vouchesForEmail({ claims: names, emailVerified }: ProviderSettings, claims: Claims): boolean {
  const given = said(claims);
  return names.email in given && (emailVerified === 'always' || names.emailVerified in given);
}

export function personOf(
  settings: ProviderSettings,
  { sub: subject, sid }: { sub: string; sid?: unknown },
  claims: Claims,
  groups: NamedGroups,
): SsoPerson {
  const { email, emailVerified } = settings.claims;
  return {
    issuer: settings.issuer,
    subject,
    sid: readSid(sid),
    email: readEmail(claims[email]),
    isEmailVerified: settings.emailVerified === 'always' || isTrue(claims[emailVerified]),
    displayName: readName(claims, settings.claims.name),
    groups: groups.read(claims),
  };
}

/** Some providers send a boolean as a text or as a number. */
function isTrue(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === 'string' && /^(?:true|1)$/i.test(value));
}

/** An address, or the first of a list, such as the claim `emails` of Azure AD B2C. */
function readEmail(value: unknown): string | undefined {
  const address: unknown = Array.isArray(value) ? value[0] : value;
  return typeof address === 'string' ? mailboxOf(address) : undefined;
}

/**
 * The mailbox that the provider means. Its local part must be ASCII before normalization: NFKC turns `ａnn` into `ann`,
 * which may be another mailbox, and the provider may have verified the owner of the former.
 */
function mailboxOf(address: string): string | undefined {
  const trimmed = address.trim();
  return /^[!-?A-~]+@[^@]+$/.test(trimmed) ? normalizeEmail(trimmed) : undefined;
}

const checkName = compile(DisplayName(), { unknownFields: 'drop' });

/** The first name that can be displayed: the one that is configured, or that of the two parts (§5.1). */
function readName(claims: Claims, name: string): string | undefined {
  const parts = [claims['given_name'], claims['family_name']].filter((part) => typeof part === 'string');
  return [claims[name], parts.join(' ')]
    .map((one) => (typeof one === 'string' ? typedName(one) : ''))
    .find((one) => checkName(one) === undefined);
}
