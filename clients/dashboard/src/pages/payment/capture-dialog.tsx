import { Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '../../parts/dialog.tsx'
import { useAct } from '../../service/act.ts'
import { lessOf, money } from '../../words/format.ts'
import { marks, t } from '../../words/words.ts'
import { AmountField, useAmount } from './amount-field.tsx'
import type { PaymentDialogProps } from './dialog-props.ts'
import { reservedOf } from './reserved.ts'

export function CaptureDialog({ invoice, transaction, onClose, onDone }: PaymentDialogProps) {
  const { currency } = transaction
  const reserved = reservedOf(transaction)
  const [keepsRest, setKeepsRest] = useState(false)
  const { amount, isAll, words, field } = useAmount(reserved, currency)
  const capture = useAct()
  async function run() {
    const type = keepsRest && !isAll ? 'non-final' : 'final'
    const body = { capture_amount: amount, capture_type: type }
    if (await capture.run('POST', `/invoices/${invoice.id}/capture`, body))
      onDone(t('payment.capture.done', { amount: words }))
  }
  return (
    <Dialog
      title={t('payment.actions.capture')}
      opened
      onClose={onClose}
      action={t('payment.capture.action', { amount: words })}
      onAction={run}
      busy={capture.busy}
      error={capture.error}
      isDisabled={amount === null}
      movesMoney
    >
      <Text size="sm">
        {t.rich('payment.capture.about', {
          ...marks,
          reserved: money(reserved, currency),
          name: invoice.name,
          amount: words,
        })}
      </Text>
      <AmountField {...field} isFixed={!transaction.supported_actions.includes('partial_capture')} />
      {amount !== null && !isAll && (
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
