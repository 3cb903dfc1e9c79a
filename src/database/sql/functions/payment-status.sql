-- Keep payment_status. Whoever writes an invoice or a transaction holds the lock of its payment. A payment without its row
-- would be in no list by status and never be due, so that writing it fails.
create or replace function demand_payment_status(id text) returns void language plpgsql
set search_path = public, pg_temp set enable_seqscan = off as $$
begin
  if not exists (select from payment_status where payment_status.invoice_id = id) then
    raise exception 'payment_status has no row of the invoice %', id;
  end if;
end
$$;

create or replace function keep_invoice_status() returns trigger language plpgsql
set search_path = public, pg_temp set enable_seqscan = off as $$
begin
  if tg_op = 'INSERT' then
    insert into payment_status (invoice_id, project_id, sandbox, invoice_created_at, currency, expires_at, expired_at)
    values (new.id, new.project_id, new.sandbox, new.created_at, new.currency, new.expires_at, new.expired_at);
  else
    update payment_status set currency = new.currency, expires_at = new.expires_at, expired_at = new.expired_at
    where payment_status.invoice_id = new.id
      and (payment_status.currency, payment_status.expires_at, payment_status.expired_at)
        is distinct from (new.currency, new.expires_at, new.expired_at);
    if not found then perform demand_payment_status(new.id); end if;
  end if;
  return null;
end
$$;

create or replace function keep_transaction_status() returns trigger language plpgsql
set search_path = public, pg_temp set enable_seqscan = off as $$
declare
  next_at constant timestamptz := least(new.next_due_at, new.next_look_up_at);
begin
  update payment_status
  set transaction_id = new.id, transaction_created_at = new.created_at, status = new.status, due_at = next_at
  where payment_status.invoice_id = new.invoice_id
    and (payment_status.status, payment_status.due_at) is distinct from (new.status, next_at);
  if not found then perform demand_payment_status(new.invoice_id); end if;
  return null;
end
$$;

create or replace trigger keep_status after insert or update of currency, expires_at, expired_at on invoice
  for each row execute function keep_invoice_status();
create or replace trigger keep_status after insert or update of status, next_due_at, next_look_up_at on transaction
  for each row execute function keep_transaction_status();
