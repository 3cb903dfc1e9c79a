/** What somebody has to know, or do, before reading on. */
import { Alert, Text } from '@mantine/core'
import { ClockIcon, CrossCircledIcon, ExclamationTriangleIcon } from '@radix-ui/react-icons'
import type { PaymentTimeline } from '../../../../../src/dashboard/contract.ts'
import type { Transaction } from '../../../../node/src/generated/schemas.ts'
import { ErrorCode, Id, Instant } from '../../parts/values.tsx'
import { isZero, money } from '../../words/format.ts'
import { failureOf, t } from '../../words/words.ts'
import { DisputeBanner } from '../disputes/dispute-banner.tsx'
import { reservedOf } from './reserved.ts'

/** @param standing undefined until it is read */
export function Banners({
  transaction,
  standing,
}: {
  transaction: Transaction
  standing: PaymentTimeline | undefined
}) {
  const { currency, gateway_configuration, gateway_name, error_code, error_message, status } = transaction
  const { disputes = [], waits_for_customer: waits, needs_attention } = standing ?? {}
  // While the customer is asked, what failed before is no matter of today.
  const hasFailed = error_code && error_message && status !== 'waiting'
  return (
    <>
      {disputes.map((dispute) => (
        <DisputeBanner
          key={`${dispute.reported_at} ${dispute.status} ${dispute.amount}`}
          dispute={dispute}
          currency={currency}
          gateway={gateway_configuration?.name ?? gateway_name ?? ''}
        />
      ))}
      {needs_attention && (
        <Alert color="yellow" icon={<ExclamationTriangleIcon />} title={t('payment.attention')}>
          {t(transaction.outcome_unknown_since === null ? 'payment.attentionRecord' : 'payment.attentionUnknown')}
        </Alert>
      )}
      {waits && <WaitsForCustomer waits={waits} />}
      {hasFailed && <Failure transaction={transaction} />}
    </>
  )
}

function WaitsForCustomer({ waits }: { waits: NonNullable<PaymentTimeline['waits_for_customer']> }) {
  return (
    <Alert color="yellow" icon={<ClockIcon />} title={t('payment.waits')}>
      <Text size="sm">{t.rich('payment.waitsUntil', { at: () => <Instant at={waits.until} /> })}</Text>
      {waits.page !== null && (
        <Text size="sm" component="div">
          {t('payment.waitsPage')} <Id id={waits.page} label={t('payment.pageAddress')} />
        </Text>
      )}
    </Alert>
  )
}

function Failure({ transaction }: { transaction: Transaction }) {
  const { error_code, error_message, error_recommendations } = transaction
  const isOver = transaction.status === 'failed' || transaction.status === 'blocked'
  const said = failureOf(error_code ?? '')
  return (
    <Alert
      color={isOver ? 'red' : 'yellow'}
      icon={<CrossCircledIcon />}
      title={t(isOver ? 'payment.failed' : 'payment.stepFailed')}
    >
      <Text size="sm">
        <strong>{said?.meaning ?? error_message}</strong> <ErrorCode code={error_code ?? ''} />
      </Text>
      <Text size="sm">{said?.advice ?? error_recommendations?.join(' ')}</Text>
      {!isOver && <StillReserved transaction={transaction} />}
    </Alert>
  )
}

/** Until when the money is there, and what can be done with it. */
function StillReserved({ transaction }: { transaction: Transaction }) {
  const { currency, authorization_expires_at: at, supported_actions } = transaction
  const reserved = reservedOf(transaction)
  if (isZero(reserved) || at === null || !supported_actions.includes('capture')) return null
  return (
    <Text size="sm">
      <strong>
        {t.rich('payment.reservedStill', { amount: money(reserved, currency), at: () => <Instant at={at} /> })}
      </strong>{' '}
      {t(`payment.reservedAdvice.${supported_actions.includes('partial_capture') ? 'part' : 'whole'}`)}
    </Text>
  )
}
