import type { Transaction } from '../../../../node/src/generated/schemas.ts'
import { Section } from '../../parts/page.tsx'
import { Distance, Instant, Money } from '../../parts/values.tsx'
import { isZero, lessOf, money } from '../../words/format.ts'

/** The money of the payment, from what was reserved to what was given back. */
export function Amounts({ transaction }: { transaction: Transaction }) {
  const { currency, authorized_amount, captured_amount, refunded_amount, voided_amount } = transaction
  const { disputed_amount, available_amount } = transaction
  const amounts = [
    ['Authorized', authorized_amount],
    ['Captured', captured_amount],
    ['Refunded', refunded_amount],
    ...(isZero(voided_amount) ? [] : [['Released', voided_amount] as const]),
    ...(isZero(disputed_amount) ? [] : [['Disputed', disputed_amount] as const]),
    ['Net', available_amount],
  ] as const
  return (
    <Section title="Amounts" about={<Next transaction={transaction} />}>
      <dl className="amounts">
        {amounts.map(([name, amount]) => (
          <div key={name} data-zero={isZero(amount) || undefined}>
            <dt>{name}</dt>
            <dd>
              <Money amount={amount} currency={currency} />
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}

/** What the clock does to the payment next. */
function Next({ transaction }: { transaction: Transaction }) {
  const { auto_capture_at, auto_capture_amount, authorization_expires_at, currency, supported_actions } = transaction
  const { authorized_amount, captured_amount, voided_amount } = transaction
  const reserved = lessOf(lessOf(authorized_amount, captured_amount, currency), voided_amount, currency)
  if (isZero(reserved)) return null
  if (auto_capture_at)
    return (
      <>
        {auto_capture_amount ? money(auto_capture_amount, currency) : 'What is reserved'} will be captured
        {new Date(auto_capture_at).getTime() < Date.now() ? '; that was due ' : ' '}
        <Distance at={auto_capture_at} />, on <Instant at={auto_capture_at} />.
      </>
    )
  if (authorization_expires_at && supported_actions.includes('void'))
    return (
      <>
        What is reserved is released <Distance at={authorization_expires_at} />, on{' '}
        <Instant at={authorization_expires_at} />.
      </>
    )
  return null
}
