-- The reason of a change to a session is in the words of whoever made it: an erased account's events that wait to be
-- published go without it.
create function forget_event_reasons() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
begin
  update public.outbox o
  set event = o.event #- '{data,Reason}'
  where o.event #>> '{data,UserId}' = new.account_id::text and o.event #> '{data,Reason}' is not null;
  return null;
end $$;
revoke all on function forget_event_reasons() from public;
create trigger erasure_done after update of erased_at on erasure for each row
  when (old.erased_at is null and new.erased_at is not null)
  execute function forget_event_reasons();
