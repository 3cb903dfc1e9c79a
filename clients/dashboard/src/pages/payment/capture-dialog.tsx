import { NativeSelect, Switch, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '../../parts/dialog.tsx'
import { useAct } from '../../service/act.ts'
import { instant, lessOf, money } from '../../words/format.ts'
import { marks, t } from '../../words/words.ts'
import { AmountField, useAmount } from './amount-field.tsx'
import type { PaymentDialogProps } from './dialog-props.ts'
import { reservedOf } from './reserved.ts'

type When = 'now' | 'later' | 'never'

/** As far ahead as the interface schedules a capture. */
const AHEAD_MAX_MS = 7 * 24 * 60 * 60 * 1000

export function CaptureDialog({ invoice, transaction, onClose, onDone }: PaymentDialogProps) {
  const { currency, auto_capture_at: scheduledAt, authorization_expires_at: endsAt } = transaction
  const reserved = reservedOf(transaction)
  const [keepsRest, setKeepsRest] = useState(false)
  const [when, setWhen] = useState<When>('now')
  const [time, setTime] = useState('')
  const at = Date.parse(time)
  const latest = Math.min(Date.now() + AHEAD_MAX_MS, endsAt === null ? Number.POSITIVE_INFINITY : Date.parse(endsAt))
  const isTooLate = at > latest
  const { amount, isAll, words, field } = useAmount(reserved, currency)
  const capture = useAct()
  const body = () => {
    if (when === 'never') return { auto_capture_at: null }
    if (when === 'later') return { auto_capture_at: new Date(at).toISOString(), capture_amount: amount }
    return { capture_amount: amount, capture_type: keepsRest && !isAll ? 'non-final' : 'final' }
  }
  async function run() {
    if (await capture.run('POST', `/invoices/${invoice.id}/capture`, body()))
      onDone(t(`payment.capture.done.${when}`, { amount: words }))
  }
  return (
    <Dialog
      title={t('payment.actions.capture')}
      opened
      onClose={onClose}
      action={t(`payment.capture.action.${when}`, { amount: words })}
      onAction={run}
      busy={capture.busy}
      error={capture.error}
      isDisabled={
        when === 'later' ? amount === null || Number.isNaN(at) || isTooLate : when === 'now' && amount === null
      }
      movesMoney={when !== 'never'}
    >
      <Text size="sm">
        {t.rich(`payment.capture.about.${when}`, {
          ...marks,
          reserved: money(reserved, currency),
          name: invoice.name,
          amount: words,
        })}
      </Text>
      {when !== 'never' && (
        <AmountField {...field} isFixed={!transaction.supported_actions.includes('partial_capture')} />
      )}
      <NativeSelect
        label={t('payment.capture.when')}
        value={when}
        onChange={(event) => setWhen(event.currentTarget.value as When)}
        data={(['now', 'later', ...(scheduledAt === null ? [] : (['never'] as const))] as const).map((value) => ({
          value,
          label: t(`payment.capture.choice.${value}`),
        }))}
      />
      {when === 'later' && (
        <TextInput
          label={t('payment.capture.time')}
          description={t('payment.capture.latest', { at: instant(new Date(latest).toISOString()) })}
          type="datetime-local"
          required
          value={time}
          error={isTooLate}
          onChange={(event) => setTime(event.currentTarget.value)}
        />
      )}
      {when === 'now' && amount !== null && !isAll && (
        <Switch
          label={t('payment.capture.keep')}
          description={t('payment.capture.otherwise', { amount: money(lessOf(reserved, amount, currency), currency) })}
          checked={keepsRest}
          onChange={(event) => setKeepsRest(event.currentTarget.checked)}
        />
      )}
    </Dialog>
  )
}
