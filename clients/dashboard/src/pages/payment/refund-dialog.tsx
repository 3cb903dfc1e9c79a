import { NativeSelect, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '../../parts/dialog.tsx'
import { useAct } from '../../service/act.ts'
import { lessOf, money, sumOf } from '../../words/format.ts'
import { REFUND_REASONS } from '../../words/status.ts'
import { marks, t } from '../../words/words.ts'
import { AmountField, useAmount } from './amount-field.tsx'
import type { PaymentDialogProps } from './dialog-props.ts'

export function RefundDialog({ invoice, transaction, onClose, onDone }: PaymentDialogProps) {
  const { currency, available_amount, refunds } = transaction
  const underWay = (refunds ?? []).filter(({ status }) => status === 'pending').map(({ amount }) => amount)
  const left = lessOf(available_amount, sumOf(underWay, currency), currency)
  const [reason, setReason] = useState<string>('customer_request')
  const [information, setInformation] = useState('')
  const { amount, words, field } = useAmount(left, currency)
  const refund = useAct()
  async function run() {
    const body = { amount, reason, ...(information.trim() === '' ? {} : { information: information.trim() }) }
    if (await refund.run('POST', `/invoices/${invoice.id}/refunds`, body))
      onDone(t('payment.refund.done', { amount: words }))
  }
  return (
    <Dialog
      title={t('payment.actions.refund')}
      opened
      onClose={onClose}
      action={amount === null ? t('payment.actions.refund') : t('payment.refund.action', { amount: words })}
      onAction={run}
      busy={refund.busy}
      error={refund.error}
      isDisabled={amount === null}
      isDangerous
      movesMoney
    >
      <Text size="sm">
        {t.rich(amount === null ? 'payment.refund.aboutNone' : 'payment.refund.about', {
          ...marks,
          name: invoice.name,
          amount: words,
          left: money(left, currency),
        })}
      </Text>
      <AmountField {...field} isFixed={!transaction.supported_actions.includes('partial_refund')} />
      <NativeSelect
        label={t('payment.refund.reason')}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        data={[...REFUND_REASONS]}
      />
      <Textarea
        label={t('payment.refund.note')}
        description={t('payment.refund.noteAbout')}
        maxLength={1_000}
        rows={2}
        value={information}
        onChange={(event) => setInformation(event.currentTarget.value)}
      />
    </Dialog>
  )
}
