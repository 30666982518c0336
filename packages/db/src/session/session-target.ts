/** The active sessions that a change applies to. */
export type Target =
  | { kind: 'account'; accountId: string; exceptSessionId?: string }
  | { kind: 'accounts'; accountIds: readonly string[] }
  /** The account's sessions that were opened by sign-ons, except with these providers. */
  | {
      kind: 'signed-on';
      accountId: string;
      exceptProviders: readonly string[];
      exceptSessionId?: string;
    }
  /** Sessions that a provider's sign-ons opened, selected by the person, or by the provider's session id. */
  | {
      kind: 'logged-out';
      provider: string;
      identityDigest: Buffer | undefined;
      sid: string | undefined;
    }
  | { kind: 'sessions'; sessionIds: readonly string[] }
  /** The account's sessions that this passkey opened. */
  | { kind: 'passkey'; accountId: string; passkeyId: string; exceptSessionId: string }
  | { kind: 'session'; sessionId: string; ofAccountId?: string; ofVersion?: number };

/** A target as an SQL condition with its parameters. */
export function targetCondition(target: Target) {
  switch (target.kind) {
    case 'account': {
      const { accountId, exceptSessionId = null } = target;
      const which = 'account_id = :accountId and id is distinct from cast(:exceptSessionId as uuid)';
      return { which, ids: { accountId, exceptSessionId } };
    }
    case 'signed-on': {
      const { accountId, exceptProviders, exceptSessionId = null } = target;
      const which = `account_id = :accountId and sso_provider is not null
        and sso_provider <> all(cast(:exceptProviders as text[]))
        and id is distinct from cast(:exceptSessionId as uuid)`;
      return { which, ids: { accountId, exceptProviders, exceptSessionId } };
    }
    case 'logged-out': {
      const { provider, identityDigest, sid = null } = target;
      const own = 'sso_provider = :provider and sso_sid = :sid';
      if (identityDigest === undefined) return { which: own, ids: { provider, sid } };
      // A session for which the provider sent no sid may be the one.
      const which = `sso_provider = :provider
        and sso_identity_digest = :identityDigest
        and (cast(:sid as text) is null or sso_sid is null or sso_sid = :sid)`;
      return { which, ids: { provider, identityDigest, sid } };
    }
    case 'passkey': {
      const { accountId, passkeyId, exceptSessionId } = target;
      const which = 'account_id = :accountId and passkey_id = :passkeyId and id <> :exceptSessionId';
      return { which, ids: { accountId, passkeyId, exceptSessionId } };
    }
    case 'accounts':
      return {
        which: 'account_id = any(cast(:accountIds as uuid[]))',
        ids: { accountIds: target.accountIds },
      };
    case 'sessions':
      return { which: 'id = any(cast(:sessionIds as uuid[]))', ids: { sessionIds: target.sessionIds } };
    case 'session': {
      const { sessionId, ofAccountId = null, ofVersion = null } = target;
      const which = `id = :sessionId and account_id = coalesce(cast(:ofAccountId as uuid), account_id)
        and version = coalesce(cast(:ofVersion as integer), version)`;
      return { which, ids: { sessionId, ofAccountId, ofVersion } };
    }
  }
}
