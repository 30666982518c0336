-- What may be deleted once it is old has a trigger of its own, which lets the functions of retention pass; that of
-- changes says for itself whom it lets pass.

create function refuse_removal() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if current_setting('gatehouse.announced', true) = tg_op || ' ' || tg_table_name
    and current_user = (select pg_get_userbyid(c.relowner) from pg_class c where c.oid = tg_relid)
  then
    return null;
  end if;
  raise exception '% is append-only', tg_table_name;
end $$;

drop trigger session_event_append_only on session_event;
create trigger session_event_append_only before update or truncate on session_event
  for each statement execute function refuse_change();
create trigger session_event_kept before delete on session_event
  for each statement execute function refuse_removal();

drop trigger audit_append_only on audit;
create trigger audit_append_only before update or truncate on audit
  for each statement execute function refuse_change();
create trigger audit_kept before delete on audit
  for each statement execute function refuse_removal();
