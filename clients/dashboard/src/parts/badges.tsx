import { Badge, Tooltip } from '@mantine/core'
import type { Webhook } from '../../../node/src/generated/schemas.ts'
import { paymentStanding, type Standing, type Tone, webhookStanding } from '../words/status.ts'

const COLORS: Readonly<Record<Tone, string>> = { good: 'green', bad: 'red', waiting: 'yellow', neutral: 'gray' }

export function ToneBadge({ tone, children }: { tone: Tone; children: React.ReactNode }) {
  return (
    <Badge color={COLORS[tone]} variant="light" className="badge" data-tone={tone}>
      {children}
    </Badge>
  )
}

export function PaymentStatus({ payment }: { payment: Standing }) {
  const { words, tone, meaning } = paymentStanding(payment)
  return (
    <Tooltip label={meaning} openDelay={300}>
      <span>
        <ToneBadge tone={tone}>{words}</ToneBadge>
      </span>
    </Tooltip>
  )
}

export function WebhookStatus({ webhook }: { webhook: Pick<Webhook, 'status' | 'attempt'> }) {
  const { words, tone } = webhookStanding(webhook)
  return <ToneBadge tone={tone}>{words}</ToneBadge>
}

/** The status of an HTTP answer. */
export function HttpStatus({ status }: { status: number | string }) {
  const code = Number(status)
  const tone = code >= 500 ? 'bad' : code >= 400 ? 'waiting' : 'good'
  return <ToneBadge tone={tone}>{status}</ToneBadge>
}
