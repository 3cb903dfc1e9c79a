import { Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { ClockAdvance, Transaction } from '../../../../node/src/generated/schemas.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { useAct } from '../../service/act.ts'
import { instant, money } from '../../words/format.ts'
import { t } from '../../words/words.ts'
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
            words: t('payment.clock.capture', { at: instant(auto_capture_at) }),
            body: { to: auto_capture_at },
          },
        ]
      : []),
    { value: 'hour', words: t('payment.clock.hour'), body: { seconds: HOUR } },
    { value: 'day', words: t('payment.clock.day'), body: { seconds: 24 * HOUR } },
    { value: 'days', words: t('payment.clock.days'), body: { seconds: 72 * HOUR } },
    ...(authorization_expires_at
      ? [
          {
            value: 'end',
            words: t('payment.clock.end', { at: instant(authorization_expires_at) }),
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
    if (answer) onDone(answer.message ?? t('payment.clock.done', { at: instant(answer.clock.now) }))
  }
  return (
    <Dialog
      title={t('payment.actions.clock')}
      opened
      onClose={onClose}
      action={t('payment.actions.clock')}
      onAction={run}
      busy={advance.busy}
      error={advance.error}
      isDisabled={chosen === undefined}
      movesMoney
    >
      <Text size="sm">{t('payment.clock.about', { amount })}</Text>
      <Radio.Group label={t('payment.clock.howFar')} value={value} onChange={setValue}>
        <Stack gap="xs" mt="xs">
          {stretches.map((stretch) => (
            <Radio key={stretch.value} value={stretch.value} label={stretch.words} />
          ))}
        </Stack>
      </Radio.Group>
    </Dialog>
  )
}
