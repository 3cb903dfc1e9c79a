import type { Transaction } from '../../../../node/src/generated/schemas.ts'
import { Section } from '../../parts/page.tsx'
import { Distance, Instant, Money } from '../../parts/values.tsx'
import { isZero, lessOf, money, sumOf } from '../../words/format.ts'
import { t } from '../../words/words.ts'
import { reservedOf } from './reserved.ts'

/** The money of the payment, from what was reserved to what was given back. */
export function Amounts({ transaction }: { transaction: Transaction }) {
  const { currency, authorized_amount, captured_amount, refunded_amount, voided_amount } = transaction
  const { disputed_amount } = transaction
  const net = lessOf(captured_amount, sumOf([refunded_amount, disputed_amount], currency), currency)
  const amounts = [
    [t('payment.amounts.authorized'), authorized_amount],
    [t('payment.amounts.captured'), captured_amount],
    [t('payment.amounts.refunded'), refunded_amount],
    ...(isZero(voided_amount) ? [] : [[t('payment.amounts.released'), voided_amount] as const]),
    ...(isZero(disputed_amount) ? [] : [[t('payment.amounts.disputed'), disputed_amount] as const]),
    [t('payment.amounts.net'), net],
  ] as const
  return (
    <Section title={t('payment.amounts.title')} about={<Next transaction={transaction} />}>
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
  const reserved = reservedOf(transaction)
  if (isZero(reserved)) return null
  if (auto_capture_at) {
    const amount = auto_capture_amount === null ? null : money(auto_capture_amount, currency)
    if (Date.parse(auto_capture_at) < Date.now())
      return t.rich('payment.amounts.captureDue', {
        amount: amount ?? money(reserved, currency),
        ...at(auto_capture_at),
      })
    return amount === null
      ? t.rich('payment.amounts.captureAll', at(auto_capture_at))
      : t.rich('payment.amounts.capture', { amount, ...at(auto_capture_at) })
  }
  if (authorization_expires_at && supported_actions.includes('void'))
    return t.rich('payment.amounts.release', at(authorization_expires_at))
  return null
}

const at = (instant: string) => ({ in: () => <Distance at={instant} />, at: () => <Instant at={instant} /> })
