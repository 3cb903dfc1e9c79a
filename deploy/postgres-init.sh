#!/bin/sh
# Run once by the image of PostgreSQL, when its volume is empty: a database and an owner for each of the two that use it,
# none of them a superuser, and the user of the service, who does not own its tables.
set -eu
psql --no-psqlrc --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
  --set owner_password="$HOLDFAST_OWNER_DB_PASSWORD" --set service_password="$HOLDFAST_DB_PASSWORD" \
  --set temporal_password="$TEMPORAL_DB_PASSWORD" <<'SQL'
create role holdfast login password :'owner_password';
create role holdfast_service login password :'service_password';
create role temporal login password :'temporal_password';
create database holdfast owner holdfast;
create database temporal owner temporal;
create database temporal_visibility owner temporal;
SQL
psql --no-psqlrc --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname holdfast \
  --file /etc/holdfast/postgres-rights.sql
