import type { ExportSection } from '@gatehouse/schema';
import { query, type Transaction } from '../postgres/connect.ts';

/** Rows of one section, with the columns of its select; `isTruncated` if there are more. */
export interface Rows {
  items: Record<string, unknown>[];
  isTruncated: boolean;
}

export type AccountExport = Record<ExportSection, Rows>;

/**
 * Each selects `:max` rows, newest first, with the field names of the export. They contain no secrets and no data of
 * others: the export says that an administrator did something, but not who.
 */
const SECTIONS: Record<ExportSection, string> = {
  Profile: `
    select id as "Id", email as "Email", display_name as "DisplayName", locale as "Locale", role as "Role",
      is_service as "IsService", groups as "Groups",
      array(
        select jsonb_build_object('Label', label, 'Source', source) from account_group
        where account_id = :accountId order by label, source
      ) as "GroupSources",
      session_limit as "SessionLimit", email_verified_at as "EmailVerifiedAt", expires_at as "ExpiresAt",
      case when is_disabled_now(is_disabled, disabled_until) then disabled_until end as "DisabledUntil",
      case when is_disabled_now(is_disabled, disabled_until) then disabled_reason end as "DisabledReason",
      created_at as "CreatedAt", last_login_at as "LastLoginAt", password_hash is not null as "HasPassword",
      (select enabled_at from two_factor where account_id = :accountId) as "TwoFactorEnabledAt",
      (select count(*)::int from recovery_code where account_id = :accountId and used_at is null) as "RecoveryCodesLeft"
    from account where id = :accountId limit :max`,
  Passkeys: `
    select id as "Id", name as "Name", is_backed_up as "IsBackedUp", created_at as "CreatedAt",
      last_used_at as "LastUsedAt"
    from passkey where account_id = :accountId order by created_at desc, id desc limit :max`,
  Identities: `
    select provider as "Provider", issuer as "Issuer", subject as "Subject", linked_at as "LinkedAt"
    from exported_identities(:accountId, :max)`,
  Sessions: `
    select id as "Id", status as "Status", nullif(tag, '') as "Tag", device_name as "DeviceName", user_agent as "UserAgent",
      host(ip_address) as "IpAddress", sso_provider as "SsoProvider", created_at as "CreatedAt",
      last_seen_at as "LastSeenAt", ended_at as "EndedAt", end_reason as "Reason"
    from user_session where account_id = :accountId order by created_at desc, id desc limit :max`,
  SessionHistory: `
    select session_id as "SessionId", status as "Status", changed_at as "ChangedAt", is_own as "IsOwn",
      reason as "Reason"
    from exported_session_events(:accountId, :max)`,
  SignIns: `
    select at as "At", result as "Result", reason as "Reason", method as "Method", provider as "Provider",
      host(ip_address) as "IpAddress", user_agent as "UserAgent"
    from sign_in where account_id = :accountId order by id desc limit :max`,
  Apps: `
    select c.id as "Id", c.name as "Name", o.granted_at as "GrantedAt", o.scopes as "Scopes",
      array(
        select jsonb_build_object('SessionId', coalesce(cs.session_id, cs.id), 'Scopes', cs.scopes,
          'CreatedAt', cs.created_at, 'LastSeenAt', cs.last_seen_at, 'IpAddress', host(cs.ip_address), 'UserAgent', cs.user_agent)
        from client_session cs where cs.account_id = :accountId and cs.client_id = c.id order by cs.id desc limit 100
      ) as "SignIns"
    from oauth_client c
    left join oauth_consent o on o.client_id = c.id and o.account_id = :accountId
    where o.client_id is not null
      or exists (select from client_session cs where cs.account_id = :accountId and cs.client_id = c.id)
    order by c.id desc limit :max`,
  OwnedContent: `
    select id as "Id", name as "Name", kind as "Kind", created_at as "CreatedAt"
    from content_definition where owner_id = :accountId order by id desc limit :max`,
  Content: `
    select c.id as "Id", c.name as "Name", c.kind as "Kind", a.invited_email as "Email", a.granted_at as "GrantedAt",
      a.expires_at as "ExpiresAt"
    from content_access a join content_definition c on c.id = a.content_definition_id
    where a.account_id = :accountId order by a.granted_at desc, c.id desc limit :max`,
  InvitationsReceived: `
    select i.id as "Id", c.name as "ContentName", i.invited_email as "Email", i.invited_at as "InvitedAt",
      i.expires_at as "ExpiresAt", i.accepted_at as "AcceptedAt", i.deleted_at as "DeletedAt"
    from invitation i join content_definition c on c.id = i.content_definition_id
    where i.account_id = :accountId order by i.id desc limit :max`,
  InvitationsSent: `
    select i.id as "Id", c.name as "ContentName", i.invited_email as "Email", i.invited_at as "InvitedAt",
      i.expires_at as "ExpiresAt", i.accepted_at as "AcceptedAt", i.deleted_at as "DeletedAt"
    from invitation i join content_definition c on c.id = i.content_definition_id
    where i.invited_by = :accountId order by i.id desc limit :max`,
  FaceReviews: `
    select face_id as "FaceId", person_id as "PersonId", type as "FaceMatchType", reason as "Reason",
      decided_at as "DecidedAt"
    from exported_face_reviews(:accountId, :max)`,
  Audit: `
    select at as "At", action as "Action", is_own as "IsOwn", target_kind as "TargetKind", target_id as "TargetId",
      ip_address as "IpAddress", details as "Details"
    from exported_audit(:accountId, :max)`,
  Mails: `
    select kind as "Kind", email as "Email", status as "Status", created_at as "CreatedAt", sent_at as "SentAt"
    from exported_mails(:accountId, :max)`,
};

/** The number of rows read at a time: reading all at once would block other work of the process. */
const PAGE_ROWS = 250;

export async function find(tx: Transaction, accountId: string, max: number): Promise<AccountExport> {
  const found: Partial<AccountExport> = {};
  // One after another, so that an export needs only one connection, however large it is. The keys are just these.
  for (const section of Object.keys(SECTIONS) as ExportSection[]) {
    const items = await readInPages(tx, section, { accountId, max: max + 1 });
    found[section] = { items: items.slice(0, max), isTruncated: items.length > max };
  }
  return found as AccountExport; // every section was found
}

async function readInPages(
  tx: Transaction,
  section: ExportSection,
  bindings: { accountId: string; max: number },
): Promise<Record<string, unknown>[]> {
  const cursor = `export_${section.toLowerCase()}`;
  const select = SECTIONS[section].replaceAll(':accountId', 'cast(:accountId as uuid)');
  await query(tx, `declare ${cursor} no scroll cursor for ${select}`, bindings);
  const items: Record<string, unknown>[] = [];
  for (;;) {
    const page = await query<Record<string, unknown>>(tx, `fetch ${PAGE_ROWS} from ${cursor}`);
    items.push(...page);
    if (page.length < PAGE_ROWS) return items;
  }
}
