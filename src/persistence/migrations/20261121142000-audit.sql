-- The audit log: every change of money state and every administrative act, in chains that only grow. docs/audit.md says
-- what it proves. Triggers write it, so that no code path can forget it and no statement of ours is one more for it.

create sequence audit_entry_number;

create table audit_entry (
  -- In the order of writing, with gaps where a change was rolled back.
  number bigint primary key,
  -- The id of a transaction, `project <id>` for administrative acts on a project, `service` for those on everything.
  chain text not null,
  position integer not null check (position > 0),
  project_id text check (project_id <> ''),
  sandbox boolean,
  kind text not null,
  actor text not null,
  -- JSON, kept as the very text that was hashed.
  facts text not null,
  -- Text for the same reason: UTC, to the microsecond.
  occurred_at text not null,
  -- Null on the first entry of a chain.
  previous_hash bytea,
  hash bytea not null,
  unique (chain, position),
  -- The fields are hashed with line ends between them.
  constraint fields_are_lines check (
    strpos(chain, E'\n') = 0 and strpos(coalesce(project_id, ''), E'\n') = 0 and strpos(kind, E'\n') = 0
    and strpos(actor, E'\n') = 0),
  constraint only_the_first_follows_nothing check ((position = 1) = (previous_hash is null))
);

-- What waits for the next seal. Entries that are committed late are sealed late, whatever their number.
create table audit_unsealed (
  number bigint primary key
);

-- A seal is an HMAC under a key that is not in the database, so whoever can write here cannot make one.
create table audit_seal (
  -- Null for the acts that concern no project.
  project_id text,
  number integer not null check (number > 0),
  previous_hash bytea,
  -- The numbers of the entries that it covers, in ascending order.
  entries bigint[] not null check (cardinality(entries) > 0),
  sealed_at text not null,
  hash bytea not null,
  unique nulls not distinct (project_id, number),
  constraint only_the_first_seal_follows_nothing check ((number = 1) = (previous_hash is null))
);

create function refuse_change_of_audit() returns trigger language plpgsql as $$
begin
  raise exception 'The audit log is append only: % of % is refused', lower(tg_op), tg_table_name
    using errcode = 'restrict_violation';
end
$$;
create trigger append_only before update or delete or truncate on audit_entry
  for each statement execute function refuse_change_of_audit();
create trigger append_only before update or delete or truncate on audit_seal
  for each statement execute function refuse_change_of_audit();

-- Appends to a chain that the caller holds, so that nobody else is about to take the same position. Connections keep the
-- plans of these functions; one that was made while the tables were empty would read all of them for each entry. Their path
-- has temporary tables last: otherwise one by the name of the log would be taken for it, and a change would go unseen.
create function append_audit_entry(
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
    -- src/audit/entry.ts computes the same; a test proves the two equal.
    sha256(convert_to(concat_ws(E'\n',
      'holdfast audit entry 1', new_number, into_chain, coalesce(last_position, 0) + 1, coalesce(of_project, ''),
      coalesce(of_sandbox::text, ''), of_kind, by_actor, now_text, coalesce(encode(last_hash, 'hex'), ''), with_facts),
      'UTF8')));
  insert into audit_unsealed (number) values (new_number);
end
$$;

-- An administrative act. No row stands for the chain of a project, so an advisory lock holds it until the commit.
create function record_audit_act(of_project text, of_sandbox boolean, of_kind text, by_actor text, facts jsonb)
returns void language plpgsql as $$
declare
  into_chain constant text := coalesce('project ' || of_project, 'service');
begin
  perform pg_advisory_xact_lock(hashtextextended('audit ' || into_chain, 0));
  perform append_audit_entry(into_chain, of_project, of_sandbox, of_kind, by_actor, facts::text);
end
$$;

-- Stable and not immutable, because PostgreSQL makes them part of the statement that uses them only then.
-- What counts as money state and whose it is, without card data, personal data and free text: customers are erased, the log
-- is not. A function takes a hundred arguments, which are fifty columns.
-- src/audit/audited-columns.ts lists the same; a test proves that they agree.
create function audited_state(of_row transaction) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'id', of_row.id,
    'project_id', of_row.project_id,
    'sandbox', of_row.sandbox,
    'invoice_id', of_row.invoice_id,
    'customer_id', of_row.customer_id,
    'card_id', of_row.card_id,
    'token_id', of_row.token_id,
    'gateway_name', of_row.gateway_name,
    'gateway_configuration_id', of_row.gateway_configuration_id,
    'gateway_authorization_id', of_row.gateway_authorization_id,
    'scheme_id', of_row.scheme_id,
    'initial_scheme_transaction_id', of_row.initial_scheme_transaction_id,
    'scheme_used', of_row.scheme_used,
    'currency', of_row.currency,
    'status', of_row.status,
    'amount_minor', of_row.amount_minor,
    'authorized_minor', of_row.authorized_minor,
    'captured_minor', of_row.captured_minor,
    'voided_minor', of_row.voided_minor,
    'refunded_minor', of_row.refunded_minor,
    'capturing_minor', of_row.capturing_minor,
    'refunding_minor', of_row.refunding_minor,
    'incremented_minor', of_row.incremented_minor,
    'incremental', of_row.incremental,
    'increment_attempts', of_row.increment_attempts,
    'attempts_count', of_row.attempts_count,
    'captures_count', of_row.captures_count,
    'attempts_in_flight', of_row.attempts_in_flight,
    'orphans', of_row.orphans,
    'needs_attention', of_row.needs_attention,
    'outcome_unknown_since', of_row.outcome_unknown_since at time zone 'UTC',
    'expired', of_row.expired,
    'authorized_at', of_row.authorized_at at time zone 'UTC',
    'authorization_validity_ms', of_row.authorization_validity_ms,
    'authorization_expires_at', of_row.authorization_expires_at at time zone 'UTC',
    'auto_capture_at', of_row.auto_capture_at at time zone 'UTC',
    'auto_capture_amount_minor', of_row.auto_capture_amount_minor,
    'auto_capture_detail_ids', of_row.auto_capture_detail_ids,
    'auto_capture_is_final', of_row.auto_capture_is_final,
    'auto_capture_retry_at', of_row.auto_capture_retry_at at time zone 'UTC',
    'auto_capture_failures', of_row.auto_capture_failures,
    'captured_at', of_row.captured_at at time zone 'UTC',
    'voided_at', of_row.voided_at at time zone 'UTC',
    'refunded_at', of_row.refunded_at at time zone 'UTC',
    'chargedback_at', of_row.chargedback_at at time zone 'UTC',
    'received_fraud_notification', of_row.received_fraud_notification,
    'received_retrieval_request', of_row.received_retrieval_request,
    'error_code', of_row.error_code)
$$;

create function audited_state(of_row operation) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'id', of_row.id,
    'project_id', of_row.project_id,
    'sandbox', of_row.sandbox,
    'transaction_id', of_row.transaction_id,
    'card_id', of_row.card_id,
    'token_id', of_row.token_id,
    'type', of_row.type,
    'is_attempt', of_row.is_attempt,
    'attempt_operation_id', of_row.attempt_operation_id,
    'outcome', of_row.outcome,
    'has_failed', of_row.has_failed,
    'is_accountable', of_row.is_accountable,
    'amount_minor', of_row.amount_minor,
    'target_total_minor', of_row.target_total_minor,
    'currency', of_row.currency,
    'is_final', of_row.is_final,
    'refund_id', of_row.refund_id,
    'gateway_configuration_id', of_row.gateway_configuration_id,
    'gateway_operation_id', of_row.gateway_operation_id,
    'gateway_authorization_id', of_row.gateway_authorization_id,
    'error_code', of_row.error_code,
    'chargeback_reason', of_row.chargeback_reason,
    'actor', of_row.actor)
$$;

create function audited_state(of_row refund) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'id', of_row.id,
    'project_id', of_row.project_id,
    'sandbox', of_row.sandbox,
    'transaction_id', of_row.transaction_id,
    'operation_id', of_row.operation_id,
    'amount_minor', of_row.amount_minor,
    'currency', of_row.currency,
    'reason', of_row.reason,
    'status', of_row.status,
    'error_code', of_row.error_code,
    'failed_at', of_row.failed_at at time zone 'UTC')
$$;

-- The row of the transaction is the lock of its chain: who changes it has it, and who adds a row to it takes it here.
-- An operation tells who wanted it; otherwise the actor is the database user who made the change.
create function audit_row() returns trigger language plpgsql
set search_path = public, pg_temp set enable_seqscan = off as $$
declare
  before constant jsonb := case when tg_op = 'INSERT' then null else audited_state(old) end;
  after constant jsonb := case when tg_op = 'DELETE' then null else audited_state(new) end;
  row_id constant text := coalesce(before, after) ->> 'id';
  transaction_id constant text := coalesce(before, after) ->> 'transaction_id';
  -- Variables, because names of the database have a collation of their own, in which no index would be found.
  kind constant text := tg_table_name || case tg_op
    when 'INSERT' then '.created' when 'UPDATE' then '.changed' else '.deleted' end;
  actor text := 'database:' || session_user;
  facts jsonb;
begin
  if before = after then return null; end if;
  if before is null then
    facts := jsonb_strip_nulls(after);
    actor := coalesce(after ->> 'actor', actor);
  elsif after is null then
    facts := jsonb_build_object('id', row_id);
  else
    -- Each value that differs, as [before, after].
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
create trigger audit after insert or update or delete on transaction for each row execute function audit_row();
create trigger audit after insert or update or delete on operation for each row execute function audit_row();
create trigger audit after insert or update or delete on refund for each row execute function audit_row();

-- What was there before the log stands in it as it was when the log began.
do $$
declare
  paid transaction%rowtype;
  step operation%rowtype;
  given_back refund%rowtype;
begin
  for paid in select * from transaction loop
    perform append_audit_entry(paid.id, paid.project_id, paid.sandbox, 'transaction.created', 'migration',
      jsonb_strip_nulls(audited_state(paid))::text);
  end loop;
  for step in select * from operation order by position loop
    perform append_audit_entry(step.transaction_id, step.project_id, step.sandbox, 'operation.created', 'migration',
      jsonb_strip_nulls(audited_state(step))::text);
  end loop;
  for given_back in select * from refund loop
    perform append_audit_entry(given_back.transaction_id, given_back.project_id, given_back.sandbox, 'refund.created',
      'migration', jsonb_strip_nulls(audited_state(given_back))::text);
  end loop;
end
$$;
