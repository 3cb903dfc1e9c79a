-- Keeps the status of an invoice's transaction with the invoice, where lists of invoices look for it: a project has millions
-- of both, in two orders. A payment holds the lock of the invoice already when it writes its transaction.
create or replace function keep_transaction_status() returns trigger language plpgsql
set search_path = public, pg_temp set enable_seqscan = off as $$
begin
  update invoice set transaction_status = new.status
  where invoice.id = new.invoice_id and invoice.transaction_status <> new.status;
  return null;
end
$$;

create or replace trigger keep_status after insert or update of status on transaction
  for each row execute function keep_transaction_status();
