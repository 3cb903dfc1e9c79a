import { Badge, Tooltip } from '@mantine/core'
import type { Webhook } from '../../../node/src/generated/schemas.ts'
import { paymentStanding, type Standing, TONE_COLORS, type Tone, triesWords, webhookStanding } from '../words/status.ts'

export function ToneBadge({ tone, children }: { tone: Tone; children: React.ReactNode }) {
  return (
    <Badge color={TONE_COLORS[tone]} variant="light" className="badge" data-tone={tone}>
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

/** How a webhook stands; of one that has not arrived, how many tries have failed. */
export function WebhookStatus({ webhook }: { webhook: Pick<Webhook, 'status' | 'attempt' | 'run'> }) {
  const { words, tone } = webhookStanding(webhook)
  const tries = triesWords(webhook)
  return (
    <span className="two-lines">
      <ToneBadge tone={tone}>{words}</ToneBadge>
      {tries && <small>{tries}</small>}
    </span>
  )
}

/** The status of an HTTP answer. */
export function HttpStatus({ status }: { status: number | string }) {
  const code = Number(status)
  const tone = code >= 500 ? 'bad' : code >= 400 ? 'waiting' : 'good'
  return <ToneBadge tone={tone}>{status}</ToneBadge>
}
