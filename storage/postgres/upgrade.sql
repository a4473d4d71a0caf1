-- How version 1 of the schema, which had records(k, v), becomes version 2 while nodes of version 1 read
-- and write. Each part is one transaction.

-- Part: follow
create table if not exists twinplatform.upgrade (at bytea not null, copied bigint not null);

insert into twinplatform.upgrade (at, copied) select '', 0 where not exists (select 1 from twinplatform.upgrade);

create table if not exists twinplatform.gone (scope bytea not null, k bytea not null, primary key (scope, k));

-- Roles that may use the records may use the table that they are in from now on.
do $$ declare g record; begin
  for g in select grantee, privilege_type from information_schema.role_table_grants
    where table_schema = :schema and table_name = 'records' and grantee <> current_user
      and privilege_type in ('SELECT', 'INSERT', 'UPDATE', 'DELETE') loop
    execute format('grant %s on twinplatform.entries to %s', g.privilege_type,
      case g.grantee when 'PUBLIC' then 'public' else quote_ident(g.grantee) end);
  end loop;
end $$;

-- What nodes of version 1 write is written to both tables in their transaction. What they delete leaves
-- a row whose value is none that is ever stored, so that no copy of it comes after that.
create or replace function twinplatform.follow() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
declare
  key bytea := case when tg_op = 'DELETE' then old.k else new.k end;
  n integer := position('\x2f'::bytea in key);
  value bytea;
begin
  if n = 0 then
    n := length(key);
  end if;
  value := case when tg_op = 'DELETE' then '\xff'::bytea
    when substring(new.v from 1 for 1) = '\xff'::bytea then '\xff00'::bytea || new.v else new.v end;
  insert into twinplatform.entries (scope, k, v) values (substring(key from 1 for n), substring(key from n + 1), value)
    on conflict (scope, k) do update set v = excluded.v;
  if tg_op = 'DELETE' then
    insert into twinplatform.gone (scope, k) values (substring(key from 1 for n), substring(key from n + 1)) on conflict (scope, k) do nothing;
  end if;
  return null;
end $$;

-- It waits for those that are writing.
drop trigger if exists follow on twinplatform.records;

create trigger follow after insert or update or delete on twinplatform.records for each row execute function twinplatform.follow();

-- Part: switch
-- It waits for those that are reading and writing.
lock table twinplatform.records in access exclusive mode;

-- What was deleted needs no row any more. There are few of them for what there is else.
analyze twinplatform.gone;

set local enable_mergejoin = off;

set local enable_hashjoin = off;

delete from twinplatform.entries e using twinplatform.gone g where e.scope = g.scope and e.k = g.k and e.v = '\xff'::bytea;

drop table twinplatform.records, twinplatform.upgrade, twinplatform.gone;

drop function twinplatform.follow();

-- Every transaction of version 1 begins with a record, and finds this. The code says that it may be
-- tried again, so that clients of such a node are answered that it cannot serve them, and ask another.
create function twinplatform.refuse() returns table (k bytea, v bytea) language plpgsql as $$
begin
  raise exception 'the schema has version 2: this process knows version 1 and has to be stopped' using errcode = 'cannot_connect_now';
end $$;

create view twinplatform.records as select k, v from twinplatform.refuse();

grant select on twinplatform.records to public;

update twinplatform.version set n = 2;
