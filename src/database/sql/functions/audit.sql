-- The writers of the audit log. The content of an entry and the triggers are made from the list of audited columns: see
-- ../audit-triggers.ts.

create or replace function refuse_change_of_audit() returns trigger language plpgsql as $$
begin
  raise exception 'The audit log is append only: % of % is refused', lower(tg_op), tg_table_name
    using errcode = 'restrict_violation';
end
$$;

create or replace trigger append_only before update or delete or truncate on audit_entry
  for each statement execute function refuse_change_of_audit();
create or replace trigger append_only before update or delete or truncate on audit_checkpoint
  for each statement execute function refuse_change_of_audit();

-- Appends to a chain that the caller has locked, so that no other writer takes the same position. Connections keep the
-- plans of these functions; sequential scans and sorts are off, because a plan made while the tables were empty would
-- read all of them for each entry. The search path puts temporary tables last: otherwise a temporary table named like
-- the log would take its place, and a change would go unrecorded.
create or replace function append_audit_entry(
  into_chain text, of_project text, of_sandbox boolean, of_kind text, by_actor text, with_facts text
) returns void language plpgsql
set search_path = public, pg_temp set enable_seqscan = off set enable_sort = off as $$
declare
  new_number constant bigint := nextval('audit_entry_number');
  now_text constant text := to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');
  last_position integer;
  last_hash bytea;
begin
  select entry.position, entry.hash into last_position, last_hash from audit_entry entry
  where entry.chain = into_chain order by entry.position desc limit 1;
  insert into audit_entry
    (number, chain, position, project_id, sandbox, kind, actor, facts, occurred_at, previous_hash, hash)
  values (
    new_number, into_chain, coalesce(last_position, 0) + 1, of_project, of_sandbox, of_kind, by_actor, with_facts, now_text,
    last_hash,
    -- src/audit/entry.ts computes the same hash; a test proves the two equal.
    sha256(convert_to(concat_ws(E'\n',
      'holdfast audit entry 1', new_number, into_chain, coalesce(last_position, 0) + 1, coalesce(of_project, ''),
      coalesce(of_sandbox::text, ''), of_kind, by_actor, now_text, coalesce(encode(last_hash, 'hex'), ''), with_facts),
      'UTF8')));
  insert into audit_waiting (number) values (new_number);
end
$$;

-- Records an administrative act. A project's chain has no row to lock, so an advisory lock holds it until the commit.
create or replace function record_audit_act(of_project text, of_sandbox boolean, of_kind text, by_actor text, facts jsonb)
returns void language plpgsql as $$
declare
  into_chain constant text := coalesce('project ' || of_project, 'service');
begin
  perform pg_advisory_xact_lock(hashtextextended('audit ' || into_chain, 0));
  perform append_audit_entry(into_chain, of_project, of_sandbox, of_kind, by_actor, facts::text);
end
$$;

-- The transaction row is the lock of its chain: an update of it holds the lock already, a row added to it takes it
-- here. An operation names its actor; otherwise the actor is the database user.
create or replace function audit_row() returns trigger language plpgsql
set search_path = public, pg_temp set enable_seqscan = off as $$
declare
  before constant jsonb := case when tg_op = 'INSERT' then null else audited_state(old) end;
  after constant jsonb := case when tg_op = 'DELETE' then null else audited_state(new) end;
  row_id constant text := coalesce(before, after) ->> 'id';
  transaction_id constant text := coalesce(before, after) ->> 'transaction_id';
  -- Variables, because PostgreSQL's own names have another collation, for which no index would be used.
  kind constant text := tg_table_name || case tg_op
    when 'INSERT' then '.created' when 'UPDATE' then '.changed' else '.deleted' end;
  actor text := 'database:' || session_user;
  facts jsonb;
begin
  if before = after then return null; end if;
  if before is null then
    -- Without what says nothing, and what the entry itself says.
    select jsonb_object_agg(value.key, value.value) into facts from jsonb_each(jsonb_strip_nulls(after)) as value
    where value.value is distinct from tg_argv[0]::jsonb -> value.key
      and value.key not in ('project_id', 'sandbox', 'transaction_id');
    -- Of the dashboard the person acts, and of every other caller only the kind is known here.
    actor := coalesce('person:' || (after ->> 'person_id'), after ->> 'actor', actor);
  elsif after is null then
    facts := jsonb_build_object('id', row_id);
  else
    -- Each changed value, as [before, after].
    select jsonb_build_object('id', row_id, 'changes',
      jsonb_object_agg(value.key, jsonb_build_array(before -> value.key, value.value)))
    into facts from jsonb_each(after) as value where value.value <> before -> value.key;
  end if;
  if transaction_id is not null then
    perform from transaction where transaction.id = transaction_id for no key update;
  end if;
  perform append_audit_entry(coalesce(transaction_id, row_id), coalesce(new.project_id, old.project_id),
    coalesce(new.sandbox, old.sandbox), kind, actor, facts::text);
  return null;
end
$$;

-- Administrative acts change settings, and each act has its own audit entry. A change by hand has none, so this trigger
-- records the row's change in the same chain. Its kinds contain "row-", because an act may have the same name.
create or replace function audit_settings() returns trigger language plpgsql
set search_path = public, pg_temp as $$
declare
  before constant jsonb := case when tg_op = 'INSERT' then null else audited_state(old) end;
  after constant jsonb := case when tg_op = 'DELETE' then null else audited_state(new) end;
  of_table constant text := tg_table_name;
  owner constant text := case of_table when 'project' then 'id' else 'project_id' end;
  -- Null for a person, who belongs to the service.
  owner_before constant text := before ->> owner;
  owner_after constant text := after ->> owner;
  actor constant text := 'database:' || session_user;
  changes jsonb;
begin
  if before = after then return null; end if;
  if owner_before is not distinct from owner_after and before ->> 'sandbox' is not distinct from after ->> 'sandbox'
    and before ->> 'id' = after ->> 'id' then
    -- Each changed value, as [before, after].
    select jsonb_object_agg(value.key, jsonb_build_array(before -> value.key, value.value))
    into changes from jsonb_each(after) as value where value.value <> before -> value.key;
    perform record_audit_act(owner_after, (after ->> 'sandbox')::boolean, of_table || '.row-changed', actor,
      jsonb_build_object('id', after ->> 'id', 'changes', changes));
    return null;
  end if;
  -- A row that moves to another project ends in the old chain and begins in the new one.
  if before is not null then
    perform record_audit_act(owner_before, (before ->> 'sandbox')::boolean, of_table || '.row-deleted', actor,
      jsonb_build_object('id', before ->> 'id'));
  end if;
  if after is not null then
    perform record_audit_act(owner_after, (after ->> 'sandbox')::boolean, of_table || '.row-created', actor,
      jsonb_strip_nulls(after));
  end if;
  return null;
end
$$;
