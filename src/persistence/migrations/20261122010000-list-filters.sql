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
