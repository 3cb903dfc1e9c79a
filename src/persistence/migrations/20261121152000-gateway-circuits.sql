-- Whether a process sends payments to an account at a gateway at present, for people to see. Each process has circuits of
-- its own, in its memory; it writes here when one changes, and never reads it.
create table gateway_circuit (
  project_id text not null,
  sandbox boolean not null,
  gateway_configuration_id text not null,
  process text not null,
  state text not null check (state in ('closed', 'open', 'half-open')),
  reason text not null,
  changed_at timestamptz not null,
  primary key (gateway_configuration_id, process),
  foreign key (project_id, sandbox, gateway_configuration_id) references gateway_configuration (project_id, sandbox, id) on delete cascade
);
