-- How many rows the lists of a merchant have, so that a list of a million rows tells it as fast as one of ten. Whoever adds or
-- removes rows writes a change of the number in the same database transaction, and waits for nobody; a sweep adds changes to
-- totals, in one statement, so that who sees one of the two does not see the other. A list is the sum of both.
create table list_total (
  project_id text not null,
  sandbox boolean not null,
  list text not null,
  rows bigint not null,
  primary key (project_id, sandbox, list)
);

-- Emptied every few seconds, and so cleaned up by the number of its rows and not by a share of them.
create table list_change (
  project_id text not null,
  sandbox boolean not null,
  list text not null,
  rows bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index list_change_list on list_change (project_id, sandbox, list) include (rows);

create function count_added() returns trigger language plpgsql as $$
begin
  insert into list_change (project_id, sandbox, list, rows)
  select project_id, sandbox, tg_argv[0], count(*) from added group by project_id, sandbox;
  return null;
end
$$;

create function count_removed() returns trigger language plpgsql as $$
begin
  insert into list_change (project_id, sandbox, list, rows)
  select project_id, sandbox, tg_argv[0], -count(*) from removed group by project_id, sandbox;
  return null;
end
$$;

-- A row that is deleted for merchants stays where it is, and is in no list; removed for good it is not counted again.
create function count_added_if_shown() returns trigger language plpgsql as $$
begin
  insert into list_change (project_id, sandbox, list, rows)
  select project_id, sandbox, tg_argv[0], count(*) from added where deleted_at is null group by project_id, sandbox;
  return null;
end
$$;

create function count_hidden() returns trigger language plpgsql as $$
begin
  insert into list_change (project_id, sandbox, list, rows)
  values (new.project_id, new.sandbox, tg_argv[0], case when new.deleted_at is null then 1 else -1 end);
  return null;
end
$$;

create function count_removed_if_shown() returns trigger language plpgsql as $$
begin
  insert into list_change (project_id, sandbox, list, rows)
  select project_id, sandbox, tg_argv[0], -count(*) from removed where deleted_at is null group by project_id, sandbox;
  return null;
end
$$;

create trigger count_added after insert on invoice
  referencing new table as added for each statement execute function count_added('invoices');
create trigger count_added after insert on transaction
  referencing new table as added for each statement execute function count_added('transactions');
create trigger count_added after insert on card
  referencing new table as added for each statement execute function count_added_if_shown('cards');
create trigger count_added after insert on customer
  referencing new table as added for each statement execute function count_added_if_shown('customers');
create trigger count_added after insert on event
  referencing new table as added for each statement execute function count_added('events');
create trigger count_added after insert on api_request
  referencing new table as added for each statement execute function count_added('api_requests');

create trigger count_removed after delete on invoice
  referencing old table as removed for each statement execute function count_removed('invoices');
create trigger count_removed after delete on transaction
  referencing old table as removed for each statement execute function count_removed('transactions');
create trigger count_removed after delete on card
  referencing old table as removed for each statement execute function count_removed_if_shown('cards');
create trigger count_removed after delete on customer
  referencing old table as removed for each statement execute function count_removed_if_shown('customers');
create trigger count_removed after delete on event
  referencing old table as removed for each statement execute function count_removed('events');
create trigger count_removed after delete on api_request
  referencing old table as removed for each statement execute function count_removed('api_requests');

create trigger count_hidden after update of deleted_at on card for each row
  when ((old.deleted_at is null) <> (new.deleted_at is null)) execute function count_hidden('cards');
create trigger count_hidden after update of deleted_at on customer for each row
  when ((old.deleted_at is null) <> (new.deleted_at is null)) execute function count_hidden('customers');

-- What is there already; also for whoever fills tables without triggers.
create function recount_lists() returns void language sql as $$
  truncate list_total, list_change;
  insert into list_total (project_id, sandbox, list, rows)
  select project_id, sandbox, 'invoices', count(*) from invoice group by 1, 2
  union all
  select project_id, sandbox, 'transactions', count(*) from transaction group by 1, 2
  union all
  select project_id, sandbox, 'cards', count(*) from card where deleted_at is null group by 1, 2
  union all
  select project_id, sandbox, 'customers', count(*) from customer where deleted_at is null group by 1, 2
  union all
  select project_id, sandbox, 'events', count(*) from event group by 1, 2
  union all
  select project_id, sandbox, 'api_requests', count(*) from api_request group by 1, 2;
$$;
select recount_lists();

-- What lists are narrowed by to few rows of many: without an index such a list would be searched from end to end.
create index transaction_status_list on transaction (project_id, sandbox, status, created_at, id);
create index transaction_error_list on transaction (project_id, sandbox, error_code, created_at, id)
  where error_code is not null;
create index transaction_card on transaction (card_id) where card_id is not null;
create index transaction_token on transaction (token_id) where token_id is not null;
create index invoice_order on invoice (project_id, sandbox, order_id) where order_id is not null;
create index invoice_token on invoice (token_id) where token_id is not null;
create index customer_email on customer (project_id, sandbox, lower(email)) where deleted_at is null;
create index customer_reference on customer (project_id, sandbox, reference_id)
  where deleted_at is null and reference_id is not null;
create index api_request_error_list on api_request (project_id, sandbox, error_type, created_at, id)
  where error_type is not null;
