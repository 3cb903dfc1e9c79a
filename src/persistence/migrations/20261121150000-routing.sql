-- The routing rules of a project in one environment. A version is never changed: another text is another version.
create table rule_set (
  id text primary key,
  project_id text not null references project (id),
  sandbox boolean not null,
  version integer not null check (version > 0),
  -- As the merchant wrote it, comments included, and what it was read as.
  text text not null,
  rules jsonb not null,
  -- Of amounts that stand without one: a project that changes its own does not change what a version means.
  default_currency text not null,
  created_at timestamptz not null,
  -- The API key that made it, or an administrator's name.
  created_by text not null,
  unique (project_id, sandbox, version),
  unique (project_id, sandbox, id)
);

-- Which version decides: one row is changed, so that no payment sees half of a change. None means no rules.
create table active_rule_set (
  project_id text not null references project (id),
  sandbox boolean not null,
  rule_set_id text not null,
  activated_at timestamptz not null,
  -- By which the audit log names the row.
  id text not null generated always as (project_id || case when sandbox then '/sandbox' else '/live' end) stored,
  primary key (project_id, sandbox),
  foreign key (project_id, sandbox, rule_set_id) references rule_set (project_id, sandbox, id)
);

create function refuse_rule_set_change() returns trigger language plpgsql as $$
begin
  raise exception 'A rule set is never changed; make another version of it.';
end
$$;
create trigger immutable before update on rule_set for each row execute function refuse_rule_set_change();

-- Which version has routed the payment, and which of its rules had a part in that.
alter table transaction
  add column rule_set_id text,
  add column rule_set_version integer,
  add column routing_tags jsonb not null default '[]',
  add foreign key (project_id, sandbox, rule_set_id) references rule_set (project_id, sandbox, id);

-- On the attempt of an authorization: where it may go on after a failure, and of one that went on, the first attempt of
-- the same command.
alter table operation
  add column route jsonb,
  add column fallback_of text references operation (id);
create index operation_fallback on operation (fallback_of) where fallback_of is not null;

-- A payment that a rule refuses has no gateway.
alter table transaction
  alter column gateway_configuration_id drop not null,
  alter column gateway_name drop not null,
  add check ((gateway_configuration_id is null) = (gateway_name is null)),
  add check (gateway_configuration_id is not null or status in ('waiting', 'blocked', 'failed'));
