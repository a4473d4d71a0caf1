-- The tables of this package, version 3 of the schema. Opening a database makes what is missing of
-- them. Where the role of the nodes may not create tables, a role that may runs this file before
-- (psql -f schema.sql), and grants that role:
--
--   grant usage on schema twinplatform to twin;
--   grant select, insert, update, delete on all tables in schema twinplatform to twin;
--
-- Another name of the schema is put in the place of twinplatform. Tables that are there already,
-- such as partitioned ones of these columns, stay as they are. Opening a
-- database of version 1 or 2, which are from before the first release, is refused.

create schema if not exists twinplatform;

-- One row is one record. Its key is the scope, which ends with the first '/', and k.
create table if not exists twinplatform.entries (scope bytea not null, k bytea not null, v bytea not null, primary key (scope, k));

-- The same for keys that begin with a zero byte: nearly every transaction reads them, and hardly any writes one. Among
-- the entries each would stand on a page of the index with others, and who writes one of those would be taken for a
-- writer of it.
create table if not exists twinplatform.common (scope bytea not null, k bytea not null, v bytea not null, primary key (scope, k));

-- A row for each transaction whose outcome may still be asked for.
create table if not exists twinplatform.commits (id bytea primary key, fence boolean not null default false, at timestamptz not null default now());

-- One row.
create table if not exists twinplatform.version (n integer primary key);

insert into twinplatform.version (n) select 3 where not exists (select 1 from twinplatform.version) on conflict (n) do nothing;

-- Optional: counters are updated all the time and old orders of changes are deleted row by row. A
-- fifth of a large table, the default, would be too late for that. A row that finds room on its own
-- page is updated without an entry in the index, whose page it shares with counters of others.
alter table twinplatform.entries set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05, fillfactor = 80);

-- Optional: rows of commits live for moments. What is dead is all that the table has.
alter table twinplatform.commits set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
  autovacuum_vacuum_insert_threshold = -1, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 100000);

-- Optional: the empty tables by whose locks nodes queue for hot keys. There may be 1,024 of them.
do $$ begin for i in 0..63 loop execute 'create table if not exists twinplatform.lane_' || i || ' ()'; end loop; end $$;
