-- Who expired a guest, and by which email somebody was invited.

alter table account
  -- When the want of content expired a guest: while it equals `expires_at`, nobody has set that since, and an invitation
  -- lets the guest begin anew. In doubt it was an administrator, whose word an invitation does not undo.
  add column content_expired_at timestamptz,
  -- What `expires_at` was before, which a guest who begins anew gets back.
  add column expires_at_before timestamptz;

-- Guests that no administrator ever gave an end. The audit has had an entry of each since there are guests.
update account a
set content_expired_at = expires_at
where role = 'Guest'
  and expires_at is not null
  and not exists (
    select from audit
    where target_id = a.id and action = 'account.changed' and jsonb_typeof(details -> 'ExpiresAt') = 'string'
  );

-- The address that was invited, in the spelling of its account then. The account may have another one by now; whoever
-- invited knows this one and takes content back by it. Null: made by the version before, so by the account's own.
alter table invitation add column invited_email text;
alter table content_access add column invited_email text;

-- As far as it is still known: the address that the invitation was mailed to, else the account's present one.
update invitation i
set invited_email = coalesce((select mail.email from mail_delivery mail where mail.id = i.mail_event_id), a.email)
from account a
where a.id = i.account_id;
update content_access access
set invited_email = coalesce(
  (
    select i.invited_email
    from invitation i
    where i.account_id = access.account_id and i.content_definition_id = access.content_definition_id
      and i.accepted_at is not null
    order by i.accepted_at desc
    limit 1
  ),
  a.email)
from account a
where a.id = access.account_id;
