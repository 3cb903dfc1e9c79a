-- The project's options for card scheme advice.
create or replace function advice_options(of_project project) returns json language sql stable as $$
  select json_build_object(
    'blocksStoppedPayments', of_project.blocks_stopped_payments,
    'enforcesRetryAfter', of_project.enforces_retry_after,
    'enforcesNetworkLimits', of_project.enforces_network_limits,
    'visaReattempts', of_project.visa_reattempts,
    'mastercardDeclinesPerDay', of_project.mastercard_declines_per_day,
    'mastercardDeclinesPerAmount', of_project.mastercard_declines_per_amount)
$$;

-- The advice blocks of a card that end after an instant. In PL/pgSQL, because a connection keeps the plan of its
-- statement; that of a function in SQL is made at each call, which takes three times as long as running it.
create or replace function blocks_of_card(
  of_project text, in_sandbox boolean, of_fingerprint text, ends_after timestamptz
) returns json language plpgsql stable as $$
begin
  return (
    select coalesce(json_agg(json_build_object(
        'code', code, 'expiresAt', round(extract(epoch from expires_at) * 1000)::float8,
        'gatewayConfigurationId', gateway_configuration_id, 'amountMinor', amount_minor, 'currency', currency)), '[]')
    from advice_block
    where project_id = of_project and sandbox = in_sandbox and card_fingerprint = of_fingerprint
      and expires_at > ends_after);
end
$$;

-- Locks commands in order of their ids. A lock of its own decides whether a command begins or is withdrawn: a caller
-- that withdraws a command because it cannot lock the payment must not wait for the payment. Take this lock after all
-- others. Rows read before it may be out of date.
create or replace function hold_commands(operation_ids text[]) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('command ' || id, 0))
  from (select distinct unnest(operation_ids) as id order by id) as commands;
end
$$;

-- Locks a payment for the caller's transaction and reads what its next step needs, as JSON; null where the project has
-- no such invoice in this environment. The invoice row is the lock of its payment. The last statement begins after all
-- locks are taken, those of the commands included, and so sees what their last holders wrote. Sequential scans are off:
-- connections keep plans, and one made while the tables were empty would read whole tables for each payment. For the same
-- reason the end of a security code is no condition: the index of ends would be read from `at` on, with all valid codes.
-- Without a card its advice blocks are not asked for: PostgreSQL would make a new plan for null each time, which is a
-- quarter of the work.
--
-- A new authorization reads all gateway configurations of the project, to choose one. It locks the card that it names,
-- so that no other payment takes the card meanwhile. Before the card it locks the customer who owns it or will own it:
-- deleting a token and storing a card also lock the customer before the card, and an event about the customer locks the
-- customer later.
--
-- The lock timeout is shorter than others: the steps of a payment run one after the other, and all that wait in line
-- must be answered within the 30 s for which their callers wait.
create or replace function open_payment(
  of_project text, in_sandbox boolean, of_invoice text, operation_ids text[], ends_attempt text,
  is_authorization boolean, names_card text, at timestamptz
) returns json language plpgsql set enable_seqscan = off set lock_timeout = '2s' as $$
declare
  locked invoice;
  held card;
begin
  select invoice.* into locked from invoice
  where invoice.project_id = of_project and invoice.sandbox = in_sandbox and invoice.id = of_invoice for update;
  if not found then return null; end if;
  if names_card is not null then
    perform from customer
    where customer.project_id = of_project and customer.sandbox = in_sandbox
      and customer.id = any (array[locked.customer_id, (
        select customer_token.customer_id from customer_token where customer_token.card_id = names_card)])
    for key share;
    select card.* into held from card
    where card.project_id = of_project and card.sandbox = in_sandbox and card.id = names_card for no key update;
  end if;
  perform hold_commands(operation_ids);
  return (
    select json_build_object(
      'invoice', row_to_json(locked),
      'transaction', row_to_json(transaction),
      'operations', (
        select json_agg(row_to_json(operation) order by operation.position) from operation
        where operation.transaction_id = transaction.id),
      'cards', case
        when held.id is not null then json_build_array(row_to_json(held))
        else (
          select json_agg(row_to_json(card)) from card
          where card.project_id = of_project and card.sandbox = in_sandbox
            and card.id = any (array[transaction.card_id, (select card_id from operation where id = ends_attempt)]))
        end,
      'security_code', (
        select case when code.expires_at > at then row_to_json(code) end from card_security_code code
        where code.project_id = of_project and code.sandbox = in_sandbox and code.card_id = names_card),
      'gateway_configurations', (
        select json_agg(row_to_json(gateway_configuration) order by created_at, id) from gateway_configuration
        where gateway_configuration.project_id = of_project and gateway_configuration.sandbox = in_sandbox
          and (is_authorization or gateway_configuration.id = transaction.gateway_configuration_id)),
      'rule_set_id', (
        select rule_set_id from active_rule_set
        where active_rule_set.project_id = of_project and active_rule_set.sandbox = in_sandbox),
      'is_suspended', project.suspended_at is not null,
      'is_withdrawn', exists (select from withdrawn_command where operation_id = any (operation_ids)),
      'accepts_partial_approvals', project.accepts_partial_approvals,
      'options', advice_options(project),
      'blocks', case
        when held.id is not null then blocks_of_card(of_project, in_sandbox, held.fingerprint, at)
        else '[]' end)
    from project
    left join transaction on transaction.project_id = of_project and transaction.sandbox = in_sandbox
      and transaction.invoice_id = of_invoice
    where project.id = of_project);
end
$$;
