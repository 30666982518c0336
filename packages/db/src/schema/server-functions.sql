-- Functions of Postgres that everybody may call and no service needs: large objects, which would fill the disk, and
-- advisory locks that outlive a transaction. Revokes those that the current role may revoke: they belong to the
-- superuser. The locks of transactions that the services use remain.
do $$
declare
  server_function regprocedure;
begin
  for server_function in
    select oid
    from pg_proc
    where pronamespace = 'pg_catalog'::regnamespace
      and (proname ~ '^lo(_.*|read|write)$' or proname ~ '^pg_(try_)?advisory_')
      and oid not in (
        'pg_advisory_xact_lock(bigint)'::regprocedure, 'pg_advisory_xact_lock_shared(bigint)'::regprocedure)
      and has_function_privilege('public', oid, 'execute')
      and pg_has_role(proowner, 'usage')
  loop
    execute format('revoke execute on function %s from public', server_function);
  end loop;
end $$;
