import { Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { ClockAdvance, Transaction } from '../../../../node/src/generated/schemas.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { useAct } from '../../service/act.ts'
import { instant, money } from '../../words/format.ts'
import type { PaymentDialogProps } from './dialog-props.ts'

interface Stretch {
  value: string
  words: string
  body: { to: string } | { seconds: number }
}

const HOUR = 3_600

function stretchesOf({ auto_capture_at, authorization_expires_at }: Transaction): Stretch[] {
  return [
    ...(auto_capture_at
      ? [
          {
            value: 'capture',
            words: `To the scheduled capture, ${instant(auto_capture_at)}`,
            body: { to: auto_capture_at },
          },
        ]
      : []),
    { value: 'hour', words: 'By an hour', body: { seconds: HOUR } },
    { value: 'day', words: 'By a day', body: { seconds: 24 * HOUR } },
    { value: 'days', words: 'By three days, as long as webhooks are retried', body: { seconds: 72 * HOUR } },
    ...(authorization_expires_at
      ? [
          {
            value: 'end',
            words: `To the end of the authorization, ${instant(authorization_expires_at)}`,
            body: { to: authorization_expires_at },
          },
        ]
      : []),
  ]
}

/** The test clock of one sandbox payment. */
export function ClockDialog({ invoice, transaction, onClose, onDone }: PaymentDialogProps) {
  const stretches = stretchesOf(transaction)
  const [value, setValue] = useState(stretches[0]?.value ?? '')
  const advance = useAct<ClockAdvance>()
  const chosen = stretches.find((stretch) => stretch.value === value)
  const amount = money(invoice.amount, invoice.currency)
  async function run() {
    const answer = await advance.run('POST', `/invoices/${invoice.id}/clock/advance`, chosen?.body)
    if (answer) onDone(answer.message ?? `For this payment it is ${instant(answer.clock.now)} now.`)
  }
  return (
    <Dialog
      title="Advance the clock"
      opened
      onClose={onClose}
      action="Advance the clock"
      onAction={run}
      busy={advance.busy}
      error={advance.error}
      isDisabled={chosen === undefined}
      movesMoney
    >
      <Text size="sm">
        The payment of {amount} and its webhooks live through this time at once: what falls due happens, such as a
        scheduled capture, the end of the authorization, and retries. It cannot be turned back.
      </Text>
      <Radio.Group label="How far" value={value} onChange={setValue}>
        <Stack gap="xs" mt="xs">
          {stretches.map((stretch) => (
            <Radio key={stretch.value} value={stretch.value} label={stretch.words} />
          ))}
        </Stack>
      </Radio.Group>
    </Dialog>
  )
}
