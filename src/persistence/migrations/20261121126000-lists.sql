-- Lists are read in the order of (created_at, id) from a row onwards; an index in that order finds the page without
-- reading what lies before it. A list of one object's rows has the object in front instead.
create index invoice_list on invoice (project_id, sandbox, created_at, id);
create index transaction_list on transaction (project_id, sandbox, created_at, id);
create index card_list on card (project_id, sandbox, created_at, id) where deleted_at is null;
create index transaction_customer_list on transaction (project_id, sandbox, customer_id, created_at, id)
  where customer_id is not null;
create index customer_list on customer (project_id, sandbox, created_at, id) where deleted_at is null;
create index customer_token_list on customer_token (project_id, sandbox, customer_id, created_at, id)
  where deleted_at is null;
create index refund_list on refund (project_id, sandbox, transaction_id, created_at, id);
create index gateway_configuration_list on gateway_configuration (project_id, sandbox, created_at, id);
create index delivery_event_list on delivery (project_id, sandbox, event_id, created_at, id);
-- The events of one name, in the order of the list of events.
create index event_name_order on event (project_id, sandbox, name, written_by, position);
