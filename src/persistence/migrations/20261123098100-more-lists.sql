-- All refunds and all disputes of a project, in the order of their lists.
create index refund_project_list on refund (project_id, sandbox, created_at, id);
create index operation_dispute_list on operation (project_id, sandbox, created_at, id) where type = 'chargeback';

-- Only invoices and transactions that have metadata take room in these: empty ones have no keys.
create index invoice_metadata on invoice using gin (metadata jsonb_path_ops);
create index transaction_metadata on transaction using gin (metadata jsonb_path_ops);
