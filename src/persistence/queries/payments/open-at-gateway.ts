/**
 * True of a transaction with something left to do at a gateway configuration: money of it is reserved there, the outcome of a
 * call is not known, or an authorization is to be released. In a query that has both tables under their names.
 */
export const OPEN_AT_CONFIGURATION = `
  transaction.project_id = configuration.project_id and transaction.sandbox = configuration.sandbox
  and (transaction.gateway_configuration_id = configuration.id and captured_minor + voided_minor < authorized_minor
    or (attempts_in_flight <> '[]' or orphans <> '[]') and exists (
      select from operation
       where operation.transaction_id = transaction.id and operation.gateway_configuration_id = configuration.id
         and attempts_in_flight || orphans @> jsonb_build_array(jsonb_build_object('operationId', operation.id))))`
