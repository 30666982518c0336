import { LoginStatus, SessionStatus } from 'gatehouse-client';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { deviceName } from '../ui/device-name.ts';
import { type Answer, type Operation, useQuery } from './api/call-api.ts';
import { words, wordsFor } from './text.ts';
import { Badge, badgesOf, Copy, type Fact, type Meaning, None, shortened } from './ui/values.tsx';

/** The emails of the accounts that a list links to, by their ids. */
export const EmailsContext = createContext<ReadonlyMap<string, string>>(new Map());

/** Links to an account, by its email if known, else by its shortened id. */
export function AccountLink({ id }: { id: string | null }) {
  const emails = useContext(EmailsContext);
  if (id === null) return <None />;
  return <a href={`/console/accounts/${id}`}>{emails.get(id) ?? shortened(id)}</a>;
}

/** The emails of accounts by their ids, up to 100; accounts that no longer exist are missing. */
export function useEmails(ids: readonly (string | null)[]): ReadonlyMap<string, string> {
  const named = [...new Set(ids.filter((id) => id !== null))].slice(0, 100).join(',');
  const { data } = useQuery('GET /admin/account', { query: { ids: named } }, { enabled: named !== '' });
  return new Map(data?.Items.map(({ Id, Email }) => [Id, Email]));
}

/** The result of the next login with the right password (docs/errors.md); without a status, the login succeeds. */
export function ConditionBadge({ status }: { status: LoginStatus | undefined }) {
  return <Badge meaning={meaningOf(status)}>{wordsFor('condition', status ?? 'none')}</Badge>;
}

/** The device of a session, or of what else was seen of a browser. */
export const DEVICE: Fact<Parameters<typeof deviceName>[0]> = [
  'sessions.device',
  (session) => deviceName(session) ?? words('sessions.device.unknown'),
  'clipped',
];

/** An IP address. Those of version 6 may be long, others are not. */
export const IP_ADDRESS: Fact<{ IpAddress: string | null }> = [
  'audit.ip',
  ({ IpAddress }) => IpAddress,
  ({ IpAddress }) => IpAddress?.includes(':') === true,
];

/** Whether the account waits for its owner to choose a password, so that it has none yet. */
export function isWaiting(status: LoginStatus | undefined): boolean {
  return (
    status === LoginStatus.IsPendingNewAccountSignup ||
    status === LoginStatus.IsPendingAccountMigrationSignup ||
    status === LoginStatus.IsPendingInvitation
  );
}

function meaningOf(status: LoginStatus | undefined): Meaning {
  if (status === undefined || status === LoginStatus.TwoFactorCodeRequired) return 'success';
  if (status === LoginStatus.IsDisabled || status === LoginStatus.IsExpired) return 'danger';
  const isAsked =
    status === LoginStatus.TwoFactorSetupRequired || status === LoginStatus.IsPendingNewPassword;
  return isAsked ? 'warning' : 'neutral';
}

/** Who did something: an account by its email, or an API token by its name; by its id if it no longer exists. */
export function ActorLink({ id }: { id: string }) {
  const { data, isLoading, isOld } = useQuery('GET /admin/account', { query: { ids: id } });
  const account = data?.Items.find(({ Id }) => Id === id);
  if (account) return <a href={`/console/accounts/${id}`}>{account.Email}</a>;
  if (isLoading || isOld) return null;
  return <TokenLink id={id} label={words('account.actor')} />;
}

/** A link to an API token, by its name. If the id belongs to no token, the id can be copied; `label` describes it. */
export function TokenLink({ id, label }: { id: string; label: string }) {
  const { data, isLoading, isOld } = useQuery('GET /admin/api-token/{id}', { path: { id } });
  if (isLoading || isOld) return null;
  if (data?.Id !== id) return <Copy value={id} label={label} />;
  return <a href={`/console/tokens/${id}`}>{data.Name}</a>;
}

export function ProviderName({ id }: { id: string }) {
  const { data } = useQuery('GET /admin/sso-provider', {});
  return <>{data?.Items.find(({ Id }) => Id === id)?.Name ?? id}</>;
}

/** The status of a session (docs/sessions.md). */
export const StatusBadge = badgesOf<SessionStatus>('sessionStatus', {
  [SessionStatus.Normal]: 'success',
  [SessionStatus.ChatDisabled]: 'warning',
  [SessionStatus.SessionReplaced]: 'neutral',
  [SessionStatus.Deactivated]: 'danger',
  [SessionStatus.SharedAccess]: 'success',
  [SessionStatus.PendingInvite]: 'neutral',
  [SessionStatus.Expired]: 'neutral',
  [SessionStatus.DeletedInvite]: 'danger',
});

export type Mail = Answer<'GET /admin/mail/{id}'>;

export const MailStatus = badgesOf<Mail['Status']>('mails.status', {
  Pending: 'neutral',
  Sent: 'success',
  Retrying: 'warning',
  Parked: 'danger',
});

/** The objects that have a screen: their kind in the audit log, how they are read, and the path of their screens. */
export const PLACES = [
  ['Account', 'GET /admin/account/{id}', '/console/accounts'],
  ['UserSession', 'GET /admin/user-session/{id}', '/console/sessions'],
  ['ContentDefinition', 'GET /admin/content-definition/{id}', '/console/content'],
  ['Mail', 'GET /admin/mail/{id}', '/console/mails'],
  ['ApiToken', 'GET /admin/api-token/{id}', '/console/tokens'],
  ['OauthClient', 'GET /admin/oauth-client/{id}', '/console/applications'],
  ['Webhook', 'GET /admin/webhook/{id}', '/console/webhooks'],
  ['HookDelivery', 'GET /admin/hook-delivery/{id}', '/console/webhooks/deliveries'],
  ['Person', 'GET /person/{id}', '/console/persons'],
] as const satisfies readonly (readonly [kind: string, operation: Operation, path: string])[];
