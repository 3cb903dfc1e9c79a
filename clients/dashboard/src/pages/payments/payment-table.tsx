import type { ListedPayment } from '../../../../../src/dashboard/contract.ts'
import { PaymentStatus } from '../../parts/badges.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { CardName, Instant, Money, Nothing } from '../../parts/values.tsx'
import { isZero, money } from '../../words/format.ts'
import { capitalized, codeWords, isPartlyCaptured } from '../../words/status.ts'
import { t } from '../../words/words.ts'
import { PaymentLink, Second, Two } from './payment-cells.tsx'

/** What can be shown of a payment, in the order of the table. */
export const COLUMN_NAMES = [
  ...(['amount', 'status', 'payment', 'customer', 'card', 'gateway'] as const),
  ...(['captured', 'refunded', 'disputed', 'net', 'error', 'created', 'capturedAt'] as const),
]

export type ColumnName = (typeof COLUMN_NAMES)[number]

/** What is shown where nobody has chosen. */
export const USUAL_COLUMNS: readonly ColumnName[] = [
  'amount',
  'status',
  'payment',
  'customer',
  'card',
  'gateway',
  'created',
]

/** A payment is opened by its amount, which therefore always stands. */
export const FIRST_COLUMN: ColumnName = 'amount'

export function paymentColumns(
  shown: readonly ColumnName[] = USUAL_COLUMNS,
  sort?: Column<ListedPayment>['sort'],
): readonly Column<ListedPayment>[] {
  const amount = (name: 'captured_amount' | 'refunded_amount' | 'disputed_amount' | 'net_amount') =>
    ({
      align: 'right',
      narrow: 'named',
      cell: (payment: ListedPayment) =>
        isZero(payment[name]) ? <Nothing /> : <Money amount={payment[name]} currency={payment.currency} />,
    }) as const
  const columns: Record<ColumnName, Omit<Column<ListedPayment>, 'title'>> = {
    amount: {
      align: 'right',
      narrow: 'first',
      cell: ({ invoice_id, amount, currency }) => <PaymentLink id={invoice_id} amount={amount} currency={currency} />,
    },
    status: { narrow: 'beside', cell: (payment) => <Standing payment={payment} /> },
    payment: { narrow: 'below', cell: ({ name, order_id }) => <Two first={name} second={order_id} /> },
    customer: {
      narrow: 'below',
      cell: ({ customer_name, customer_email, customer_deleted_at }) => (
        <Two
          first={customer_name ?? customer_email ?? (customer_deleted_at && t('payments.customerDeleted'))}
          second={customer_name && customer_email}
        />
      ),
    },
    card: {
      narrow: 'below',
      cell: ({ card_scheme, card_last_4_digits, card_holder }) => (
        <span className="two-lines">
          <CardName scheme={card_scheme} last4={card_last_4_digits} />
          {card_holder && <Second text={card_holder} />}
        </span>
      ),
    },
    gateway: {
      narrow: 'left-out',
      cell: ({ gateway_name }) => (gateway_name ? capitalized(gateway_name) : <Nothing />),
    },
    captured: amount('captured_amount'),
    refunded: amount('refunded_amount'),
    disputed: amount('disputed_amount'),
    net: amount('net_amount'),
    error: { cell: ({ error_code }) => (error_code ? <code>{error_code}</code> : <Nothing />) },
    created: {
      narrow: 'below',
      ...(sort && { sort }),
      cell: ({ created_at }) => <Instant at={created_at} />,
    },
    capturedAt: { cell: ({ captured_at }) => (captured_at ? <Instant at={captured_at} /> : <Nothing />) },
  }
  return COLUMN_NAMES.filter((name) => shown.includes(name)).map((name) => ({
    title: t(`payments.column.${name}`),
    ...columns[name],
  }))
}

function Standing({ payment }: { payment: ListedPayment }) {
  const { status, error_code, authorized_amount, captured_amount, refunded_amount, currency, needs_attention } = payment
  const more = [
    needs_attention ? t('payments.filter.attention') : null,
    (status === 'failed' || status === 'blocked') && error_code ? codeWords(error_code) : null,
    isPartlyCaptured(payment)
      ? t(status === 'completed' ? 'payments.standing.part' : 'payments.standing.captured', {
          amount: money(captured_amount, currency),
          authorized: money(authorized_amount, currency),
        })
      : null,
    status === 'partially-refunded'
      ? t('payments.standing.refunded', { amount: money(refunded_amount, currency) })
      : null,
  ].filter((words) => words !== null)
  return (
    <span className="two-lines">
      <PaymentStatus payment={payment} />
      {more.length > 0 && <small>{more.join(' · ')}</small>}
    </span>
  )
}

export function PaymentTable({
  payments,
  label,
  columns: names = USUAL_COLUMNS,
}: {
  payments: readonly ListedPayment[]
  label: string
  columns?: readonly ColumnName[]
}) {
  const columns = paymentColumns(names)
  return <Table label={label} columns={columns} items={payments} keyOf={({ invoice_id }) => invoice_id} />
}
