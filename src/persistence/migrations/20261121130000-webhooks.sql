-- Where a project wants its events to go, beside the URLs of single invoices.
create table webhook_endpoint (
  id text primary key,
  project_id text not null references project,
  sandbox boolean not null,
  url text not null,
  description text,
  -- Null takes all events.
  events_whitelist text[],
  enabled boolean not null,
  disabled_reason text check (disabled_reason in ('merchant', 'gone', 'failing')),
  disabled_at timestamptz,
  sign_with_ed25519 boolean not null,
  -- Since when nothing was accepted, without a pause that would make the failures sporadic.
  failing_since timestamptz,
  last_failure_at timestamptz,
  -- Answers 410 in a row.
  gone_count integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  unique (project_id, sandbox, id),
  constraint disabled_for_a_reason check (enabled = (disabled_reason is null) and enabled = (disabled_at is null))
);
create index webhook_endpoint_list on webhook_endpoint (project_id, sandbox, created_at, id) where deleted_at is null;
-- Asked in every database transaction that fires an event.
create index webhook_endpoint_enabled on webhook_endpoint (project_id, sandbox) where enabled and deleted_at is null;

-- What the webhooks to an endpoint are signed with: the current secret of each scheme, and the one before it until it ends.
create table webhook_secret (
  id text primary key,
  project_id text not null,
  sandbox boolean not null,
  endpoint_id text not null,
  scheme text not null check (scheme in ('hmac', 'ed25519')),
  ciphertext bytea not null,
  key_id text not null,
  -- Of a key pair, what receivers verify with; no secret, so that showing it opens none.
  public_key text,
  created_at timestamptz not null,
  -- Null while it is the current one.
  expires_at timestamptz,
  foreign key (project_id, sandbox, endpoint_id) references webhook_endpoint (project_id, sandbox, id)
);
create unique index webhook_secret_current on webhook_secret (endpoint_id, scheme) where expires_at is null;
create index webhook_secret_endpoint on webhook_secret (endpoint_id);

alter table event
  -- How often somebody asked for it to be sent again, which numbers the runs of its deliveries.
  add column resends integer not null default 0;
-- What happened within a time is looked for rarely, and an index of this kind costs a payment next to nothing.
create index event_fired_at on event using brin (fired_at);

alter table delivery
  -- Null where the target is the URL of the invoice or token.
  add column endpoint_id text,
  -- 0 for the first sending, n for the nth that was asked for.
  add column run integer not null default 0,
  -- Since when it waits for its first attempt of this run.
  add column queued_at timestamptz,
  drop constraint delivery_event_id_target_url_key,
  add constraint delivery_once_for_each_target unique nulls not distinct (event_id, endpoint_id, target_url),
  add foreign key (project_id, sandbox, endpoint_id) references webhook_endpoint (project_id, sandbox, id);
update delivery set queued_at = created_at;
alter table delivery alter column queued_at set not null;

alter table delivery_attempt
  add column run integer not null default 0,
  add column request_url text,
  add column response_body text,
  add column response_headers jsonb,
  drop constraint delivery_attempt_delivery_id_attempt_key,
  add unique (delivery_id, run, attempt);

-- What a sweep starts, because nobody began it or nobody goes on with it.
drop index delivery_not_begun;
create index delivery_not_begun on delivery (queued_at, id) where status = 'pending' and first_attempt_at is null;
create index delivery_due on delivery (release_at, id) where status = 'pending' and release_at is not null;
-- The list of what was sent to an endpoint.
create index delivery_endpoint_list on delivery (project_id, sandbox, endpoint_id, created_at, id)
  where endpoint_id is not null;
-- What ends with an endpoint that is deleted.
create index delivery_endpoint_pending on delivery (endpoint_id) where status = 'pending' and endpoint_id is not null;
-- "Did this target accept its last webhook?" is asked before every first attempt.
drop index delivery_host;
create index delivery_target
  on delivery (project_id, sandbox, split_part(target_url, '/', 3), coalesce(endpoint_id, ''), first_attempt_at desc)
  where first_attempt_at is not null;
