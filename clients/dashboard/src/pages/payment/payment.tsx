/** One payment: what became of the money, how, and what can still be done. */
import { Alert, Text } from '@mantine/core'
import { CrossCircledIcon } from '@radix-ui/react-icons'
import type { PaymentTimeline } from '../../../../../src/dashboard/contract.ts'
import type { Invoice } from '../../../../node/src/generated/schemas.ts'
import { PaymentStatus } from '../../parts/badges.tsx'
import { Loading, Page, Problem } from '../../parts/page.tsx'
import { Money } from '../../parts/values.tsx'
import { useRead } from '../../service/read.ts'
import { useProject } from '../../service/session.tsx'
import { money } from '../../words/format.ts'
import { Actions } from './actions.tsx'
import { Amounts } from './amounts.tsx'
import { Details } from './details.tsx'
import { Refunds } from './refunds.tsx'
import { Timeline } from './timeline.tsx'

const EXPAND = [
  'transaction.card',
  'transaction.customer',
  'transaction.refunds',
  'transaction.gateway_configuration',
  'customer',
]

/** Something is about to happen by itself. */
const MOVING = ['waiting', 'pending', 'pending-capture']
const SOON_MS = 2_000
const LATER_MS = 20_000

export function PaymentPage({ id }: { id: string }) {
  const { href } = useProject()
  const invoice = useRead<{ invoice: Invoice }>(`/invoices/${encodeURIComponent(id)}`, {
    query: { 'expand[]': EXPAND },
    every: (latest) => (MOVING.includes(latest?.invoice.transaction?.status ?? '') ? SOON_MS : LATER_MS),
  })
  const isMoving = MOVING.includes(invoice.data?.invoice.transaction?.status ?? '')
  const timeline = useRead<{ payment: PaymentTimeline }>(`/dashboard/payments/${encodeURIComponent(id)}`, {
    every: isMoving ? SOON_MS : LATER_MS,
  })
  const refresh = () => Promise.all([invoice.refresh(), timeline.refresh()])
  const shown = invoice.data?.invoice
  const back = { href: href(['payments']), words: 'Payments' }
  if (shown === undefined)
    return (
      <Page title="Payment" back={back}>
        {invoice.error ? <Problem error={invoice.error} retry={refresh} /> : <Loading lines={12} />}
      </Page>
    )
  const { transaction } = shown
  const amount = money(shown.amount, shown.currency)
  return (
    <Page
      title={`Payment of ${amount}`}
      heading={
        <span className="payment-heading">
          <Money amount={shown.amount} currency={shown.currency} />
          {!amount.includes(shown.currency) && (
            <Text span c="dimmed" size="lg">
              {shown.currency}
            </Text>
          )}
          {transaction && <PaymentStatus status={transaction.status} />}
        </span>
      }
      about={[shown.name, shown.order_id].filter(Boolean).join(' · ')}
      back={back}
      actions={transaction && <Actions invoice={shown} transaction={transaction} onDone={refresh} />}
    >
      {invoice.error && <Problem error={invoice.error} retry={refresh} />}
      {transaction?.error_code && transaction.error_message && <Failure transaction={transaction} />}
      <div className="payment-columns">
        <div className="stack">
          {transaction && <Amounts transaction={transaction} />}
          <Timeline reading={timeline} />
          {transaction?.refunds && transaction.refunds.length > 0 && <Refunds refunds={transaction.refunds} />}
        </div>
        <Details invoice={shown} workflow={timeline.data?.payment.workflow} />
      </div>
    </Page>
  )
}

function Failure({ transaction }: { transaction: NonNullable<Invoice['transaction']> }) {
  const isOver = transaction.status === 'failed' || transaction.status === 'blocked'
  return (
    <Alert
      color={isOver ? 'red' : 'yellow'}
      icon={<CrossCircledIcon />}
      title={isOver ? 'The payment has failed' : 'The last step has failed'}
    >
      {transaction.error_message} {transaction.error_recommendations?.map((sentence) => `${sentence} `)}
      <code>{transaction.error_code}</code>
    </Alert>
  )
}
