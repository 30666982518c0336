-- Cancels an erasure that the owner of an account requested since the change of email that this link takes back: whoever
-- changed the email may have requested it. Returns the account's id; null if there is none.
create function take_back_erasure_by_email(link_hash bytea) returns uuid
  language sql volatile security definer set search_path = pg_catalog as $$
  update public.erasure e
  set restored_at = now(), restore_hash = null
  from public.email_change c
  where c.token_hash = link_hash and c.expires_at > now()
    and e.account_id = c.account_id and e.asked_by_kind = 'Account' and e.asked_by = c.account_id
    and e.asked_at >= c.changed_at and e.restored_at is null and e.erased_at is null
  returning e.account_id
$$;
revoke all on function take_back_erasure_by_email(bytea) from public;
