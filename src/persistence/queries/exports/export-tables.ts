export interface ExportColumn {
  name: string
  /** Of `exported`, `transaction` and `invoice`. */
  sql: string
  /** True of minor units in the currency of the row. */
  isAmount: boolean
}

/** A table whose rows are exported, the oldest first. Every one has `project_id`, `sandbox`, `created_at` and `id`. */
export interface ExportTable {
  /** With `exported` as the name of the rows. */
  from: string
  /** What only some rows meet. */
  where?: string
  columns: readonly ExportColumn[]
}

const text = (name: string, sql = `exported.${name}`): ExportColumn => ({ name, sql, isAmount: false })
const amount = (name: string, column: string): ExportColumn => ({ name, sql: `exported.${column}`, isAmount: true })
/** RFC 3339 in UTC with milliseconds, as everywhere in the interface. */
const instant = (name: string): ExportColumn =>
  text(name, `to_char(exported.${name} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)

const OF_TRANSACTION = `join transaction on transaction.id = exported.transaction_id
  join invoice on invoice.id = transaction.invoice_id`

const PAYMENT = [
  text('transaction_id'),
  text('invoice_id', 'transaction.invoice_id'),
  text('order_id', 'invoice.order_id'),
]

/** What can be exported. Columns keep their names and their order; new ones come behind the last. */
export const EXPORT_TABLES = {
  transactions: {
    from: 'transaction exported join invoice on invoice.id = exported.invoice_id',
    columns: [
      text('id'),
      text('invoice_id'),
      text('order_id', 'invoice.order_id'),
      instant('created_at'),
      text('status'),
      text('currency'),
      amount('amount', 'amount_minor'),
      amount('authorized_amount', 'authorized_minor'),
      amount('captured_amount', 'captured_minor'),
      amount('voided_amount', 'voided_minor'),
      amount('refunded_amount', 'refunded_minor'),
      text('gateway_name'),
      text('gateway_configuration_id'),
      text('gateway_authorization_id'),
      text('customer_id'),
      text('card_id'),
      text('token_id'),
      instant('authorized_at'),
      instant('captured_at'),
      instant('voided_at'),
      instant('refunded_at'),
      instant('chargedback_at'),
      text('error_code'),
      amount('disputed_amount', 'disputed_minor'),
      instant('evidence_due_at'),
    ],
  },
  operations: {
    from: `operation exported ${OF_TRANSACTION}`,
    // An attempt is no more than the beginning of its result.
    where: 'not exported.is_attempt',
    columns: [
      text('id'),
      ...PAYMENT,
      instant('created_at'),
      text('type'),
      text('outcome'),
      text('currency'),
      amount('amount', 'amount_minor'),
      text('is_accountable', "case when exported.is_accountable then 'true' else 'false' end"),
      text('attempt_id', 'coalesce(exported.attempt_operation_id, exported.corrected_attempt_id)'),
      text('refund_id'),
      text('gateway_configuration_id'),
      text('gateway_operation_id'),
      text('error_code'),
      text('gateway_code'),
      text('reason'),
      text('actor'),
    ],
  },
  refunds: {
    from: `refund exported ${OF_TRANSACTION}`,
    columns: [
      text('id'),
      ...PAYMENT,
      instant('created_at'),
      text('status'),
      text('currency'),
      amount('amount', 'amount_minor'),
      text('reason'),
      text('information'),
      text('operation_id'),
      text('error_code'),
      instant('failed_at'),
    ],
  },
} as const satisfies Record<string, ExportTable>

export type ExportName = keyof typeof EXPORT_TABLES
