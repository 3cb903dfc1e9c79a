import { Alert, Text } from '@mantine/core'
import { CheckCircledIcon, ExclamationTriangleIcon } from '@radix-ui/react-icons'
import type { PaymentDispute } from '../../../../../src/dashboard/contract.ts'
import { Deadline, Instant, ZonedInstant } from '../../parts/values.tsx'
import { money } from '../../words/format.ts'
import { marks, t } from '../../words/words.ts'
import { evidenceWords, isOver, reasonWords } from './dispute-words.ts'

const COLORS = { notice: 'yellow', inquiry: 'yellow', closed: 'green', open: 'red', won: 'green', lost: 'red' } as const

/** A dispute on the page of its payment: why, until when, and what to do. */
export function DisputeBanner({
  dispute,
  currency,
  gateway,
}: {
  dispute: PaymentDispute
  currency: string
  gateway: string
}) {
  const { status, amount, reason, reported_at: at, is_answerable, is_answered } = dispute
  const isGood = status === 'won' || status === 'closed'
  return (
    <Alert
      color={is_answered ? 'yellow' : COLORS[status]}
      icon={isGood ? <CheckCircledIcon /> : <ExclamationTriangleIcon />}
      title={t(`disputes.banner.${status}`, { amount: money(amount, currency) })}
    >
      {reason !== null && (
        <Text size="sm">{t.rich('disputes.banner.reason', { ...marks, reason: reasonWords(reason) })}</Text>
      )}
      {at !== null && <Text size="sm">{t.rich('disputes.banner.reported', { at: () => <Instant at={at} /> })}</Text>}
      {status === 'notice' && <Text size="sm">{t('disputes.banner.noticeAdvice')}</Text>}
      {is_answered && <Text size="sm">{t('disputes.banner.wasAnswered')}</Text>}
      {is_answerable && <WhatToDo dispute={dispute} gateway={gateway} />}
    </Alert>
  )
}

function WhatToDo({ dispute, gateway }: { dispute: PaymentDispute; gateway: string }) {
  const { evidence_due_at: at, reason, status } = dispute
  if (at !== null && isOver(dispute))
    return <Text size="sm">{t.rich('disputes.banner.over', { at: () => <ZonedInstant at={at} /> })}</Text>
  return (
    <>
      <Text size="sm" fw={600}>
        {at === null
          ? t('disputes.banner.noDeadline')
          : t.rich('disputes.banner.due', { distance: () => <Deadline at={at} />, at: () => <ZonedInstant at={at} /> })}
      </Text>
      <Text size="sm">
        {t.rich('disputes.banner.handIn', { ...marks, gateway, evidence: evidenceWords(reason) })}{' '}
        {t('disputes.banner.answered')}
      </Text>
      <Text size="sm">{t(status === 'inquiry' ? 'disputes.banner.refundInstead' : 'disputes.banner.accept')}</Text>
    </>
  )
}
