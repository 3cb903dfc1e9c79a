import type { ListedPayment } from '../../../../../src/dashboard/contract.ts'
import { PaymentStatus } from '../../parts/badges.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { CardName, Instant, Money, Nothing } from '../../parts/values.tsx'
import { useProject } from '../../service/session.tsx'
import { isZero, money } from '../../words/format.ts'
import { codeWords } from '../../words/status.ts'

export function usePaymentColumns(): readonly Column<ListedPayment>[] {
  const { href } = useProject()
  return [
    {
      title: 'Amount',
      align: 'right',
      narrow: 'first',
      cell: ({ invoice_id, amount, currency }) => (
        // Stretched over the row by the style sheet; without a query, so that one can come back to this list.
        <a href={href(['payments', invoice_id])} className="row-link">
          <Money amount={amount} currency={currency} />
        </a>
      ),
    },
    { title: 'Status', narrow: 'beside', cell: (payment) => <Standing payment={payment} /> },
    {
      title: 'Payment',
      narrow: 'below',
      cell: ({ name, order_id }) => (
        <span className="two-lines">
          <span className="truncate">{name}</span>
          {order_id && <small className="truncate">{order_id}</small>}
        </span>
      ),
    },
    {
      title: 'Customer',
      narrow: 'below',
      cell: ({ customer_email, card_scheme, card_last_4_digits }) => (
        <span className="two-lines">
          <CardName scheme={card_scheme} last4={card_last_4_digits} />
          {customer_email && <small className="truncate">{customer_email}</small>}
        </span>
      ),
    },
    {
      title: 'Gateway',
      narrow: 'left-out',
      cell: ({ gateway_name }) => gateway_name ?? <Nothing />,
    },
    { title: 'Created', narrow: 'below', cell: ({ created_at }) => <Instant at={created_at} /> },
  ]
}

function Standing({ payment }: { payment: ListedPayment }) {
  const { status, error_code, captured_amount, refunded_amount, amount, currency, needs_attention } = payment
  const isPart = !isZero(captured_amount) && captured_amount !== amount
  const more = [
    needs_attention ? 'Needs attention' : null,
    (status === 'failed' || status === 'blocked') && error_code ? codeWords(error_code) : null,
    isPart ? `${money(captured_amount, currency)} captured` : null,
    status === 'partially-refunded' ? `${money(refunded_amount, currency)} refunded` : null,
  ].filter((words) => words !== null)
  return (
    <span className="two-lines">
      <PaymentStatus status={status} />
      {more.length > 0 && <small>{more.join(' · ')}</small>}
    </span>
  )
}

export function PaymentTable({ payments, label }: { payments: readonly ListedPayment[]; label: string }) {
  const columns = usePaymentColumns()
  return <Table label={label} columns={columns} items={payments} keyOf={({ invoice_id }) => invoice_id} />
}
