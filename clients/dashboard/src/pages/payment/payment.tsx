/** One payment: what became of the money, how, and what can still be done. */
import { Text } from '@mantine/core'
import { useState } from 'react'
import type { PaymentTimeline, TimelineEntry } from '../../../../../src/dashboard/contract.ts'
import type { Invoice, Transaction } from '../../../../node/src/generated/schemas.ts'
import { PaymentStatus } from '../../parts/badges.tsx'
import { Loading, Page, Problem } from '../../parts/page.tsx'
import { Money } from '../../parts/values.tsx'
import { useRead } from '../../service/read.ts'
import { useProject } from '../../service/session.tsx'
import { money } from '../../words/format.ts'
import { isPartlyCaptured } from '../../words/status.ts'
import { t } from '../../words/words.ts'
import { Actions } from './actions.tsx'
import { Amounts } from './amounts.tsx'
import { Banners } from './banners.tsx'
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

const MOVING = ['waiting', 'pending', 'pending-capture']
const SOON_MS = 2_000
const LATER_MS = 20_000

/** Whether something is about to happen by itself, be it only the outcome of a refund. */
function isMoving(invoice: Invoice | undefined, standing: PaymentTimeline | undefined): boolean {
  const isDue = ({ kind, at }: TimelineEntry) => kind === 'expected' && Date.parse(at) - Date.now() < 60_000
  return MOVING.includes(invoice?.transaction?.status ?? '') || (standing?.timeline.some(isDue) ?? false)
}

export function PaymentPage({ id }: { id: string }) {
  const { can } = useProject()
  // Both are read as often as either asks for.
  const [every, setEvery] = useState(LATER_MS)
  const invoice = useRead<{ invoice: Invoice }>(`/invoices/${encodeURIComponent(id)}`, {
    query: { 'expand[]': EXPAND },
    every,
  })
  const timeline = useRead<{ payment: PaymentTimeline }>(`/dashboard/payments/${encodeURIComponent(id)}`, { every })
  const wanted = isMoving(invoice.data?.invoice, timeline.data?.payment) ? SOON_MS : LATER_MS
  if (wanted !== every) setEvery(wanted)
  const refresh = () => Promise.all([invoice.refresh(), timeline.refresh()])
  const shown = invoice.data?.invoice
  const back = { path: ['payments'], words: t('shell.entries.payments') }
  if (shown === undefined)
    return (
      <Page title={t('payment.title')} back={back}>
        {invoice.error ? <Problem error={invoice.error} retry={refresh} /> : <Loading lines={12} />}
      </Page>
    )
  const { transaction } = shown
  const amount = money(shown.amount, shown.currency)
  return (
    <Page
      title={t('payment.titleOf', { amount })}
      heading={
        <span className="payment-heading">
          {transaction && isPartlyCaptured(transaction) ? (
            <CapturedOf transaction={transaction} />
          ) : (
            <Money amount={shown.amount} currency={shown.currency} />
          )}
          {!amount.includes(shown.currency) && (
            <Text span c="dimmed" size="lg">
              {shown.currency}
            </Text>
          )}
          {transaction && <PaymentStatus payment={transaction} />}
        </span>
      }
      about={<About name={shown.name} orderId={shown.order_id} />}
      back={back}
      actions={transaction && <Actions invoice={shown} transaction={transaction} onDone={refresh} />}
      mayChange={can('payments')}
    >
      {invoice.error && <Problem error={invoice.error} retry={refresh} />}
      {transaction && <Banners transaction={transaction} standing={timeline.data?.payment} />}
      <div className="payment-columns">
        <div className="stack">
          {transaction && <Amounts transaction={transaction} />}
          <Timeline reading={timeline} />
          {transaction?.refunds && transaction.refunds.length > 0 && <Refunds refunds={transaction.refunds} />}
        </div>
        <Details invoice={shown} standing={timeline.data?.payment} />
      </div>
    </Page>
  )
}

function CapturedOf({ transaction }: { transaction: Transaction }) {
  const { captured_amount, authorized_amount, currency } = transaction
  return (
    <>
      <Money amount={captured_amount} currency={currency} />
      <Text span c="dimmed" size="lg">
        {t('payment.ofAuthorized', { amount: money(authorized_amount, currency) })}
      </Text>
    </>
  )
}

function About({ name, orderId }: { name: string; orderId: string | null }) {
  return (
    <>
      <bdi>{name}</bdi>
      {orderId && (
        <>
          {' · '}
          <bdi>{orderId}</bdi>
        </>
      )}
    </>
  )
}
