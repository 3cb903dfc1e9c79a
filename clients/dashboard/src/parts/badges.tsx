import { Badge, Tooltip } from '@mantine/core'
import type { TransactionStatus } from '../../../../domain/transaction.ts'
import { PAYMENT_STATUSES, type Tone, WEBHOOK_STATUSES } from '../words/status.ts'

const COLORS: Readonly<Record<Tone, string>> = { good: 'green', bad: 'red', waiting: 'yellow', neutral: 'gray' }

export function ToneBadge({ tone, children }: { tone: Tone; children: React.ReactNode }) {
  return (
    <Badge color={COLORS[tone]} variant="light" className="badge" data-tone={tone}>
      {children}
    </Badge>
  )
}

export function PaymentStatus({ status }: { status: TransactionStatus }) {
  const { words, tone, meaning } = PAYMENT_STATUSES[status]
  return (
    <Tooltip label={meaning} openDelay={300}>
      <span>
        <ToneBadge tone={tone}>{words}</ToneBadge>
      </span>
    </Tooltip>
  )
}

export function WebhookStatus({ status }: { status: string }) {
  const { words, tone } = WEBHOOK_STATUSES[status] ?? { words: status, tone: 'neutral' }
  return <ToneBadge tone={tone}>{words}</ToneBadge>
}

/** The status of an HTTP answer. */
export function HttpStatus({ status }: { status: number | string }) {
  const code = Number(status)
  const tone = code >= 500 ? 'bad' : code >= 400 ? 'waiting' : 'good'
  return <ToneBadge tone={tone}>{status}</ToneBadge>
}
