-- What the service may do in its database: read and write rows, and nothing else. It owns no table, so it can neither change
-- one nor switch off the triggers of the audit log. For what `holdfast` makes after this, so run it before the first migration,
-- in the database, as `holdfast` or as a superuser. The migration takes back the right to write `applied_sql`, its own list.
alter default privileges for role holdfast grant usage on schemas to holdfast_service;
alter default privileges for role holdfast grant select, insert, update, delete on tables to holdfast_service;
alter default privileges for role holdfast grant usage on sequences to holdfast_service;
