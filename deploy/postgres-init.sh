#!/bin/sh
# Run once by the image of PostgreSQL, when its volume is empty: a database and an owner for each of the two that use it,
# neither of them a superuser.
set -eu
psql --no-psqlrc --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
  --set holdfast_password="$HOLDFAST_DB_PASSWORD" --set temporal_password="$TEMPORAL_DB_PASSWORD" <<'SQL'
create role holdfast login password :'holdfast_password';
create role temporal login password :'temporal_password';
create database holdfast owner holdfast;
create database temporal owner temporal;
create database temporal_visibility owner temporal;
SQL
