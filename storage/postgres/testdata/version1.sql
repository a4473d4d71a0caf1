-- Version 1 of the schema, as its last version of this package made it.
create schema if not exists twinplatform;
create table if not exists twinplatform.records (k bytea primary key, v bytea not null);
create table if not exists twinplatform.commits (id bytea primary key, fence boolean not null default false, at timestamptz not null default now());
create table if not exists twinplatform.version (n integer primary key);
insert into twinplatform.version (n) values (1) on conflict (n) do nothing;
do $$ begin for i in 0..63 loop execute 'create table if not exists twinplatform.lane_' || i || ' ()'; end loop; end $$;
