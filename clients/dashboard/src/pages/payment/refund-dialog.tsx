import { NativeSelect, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '../../parts/dialog.tsx'
import { useAct } from '../../service/act.ts'
import { lessOf, money, sumOf } from '../../words/format.ts'
import { REFUND_REASONS } from '../../words/status.ts'
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
      onDone(`The refund of ${words} was requested.`)
  }
  return (
    <Dialog
      title="Refund"
      opened
      onClose={onClose}
      action={`Refund ${words}`}
      onAction={run}
      busy={refund.busy}
      error={refund.error}
      isDisabled={amount === null}
      isDangerous
      movesMoney
    >
      <Text size="sm">
        The customer of {invoice.name} gets {words} back. It cannot be undone. {money(left, currency)} can be refunded.
      </Text>
      <AmountField {...field} isFixed={!transaction.supported_actions.includes('partial_refund')} />
      <NativeSelect
        label="Reason"
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        data={[...REFUND_REASONS]}
      />
      <Textarea
        label="Note"
        description="For your own people."
        maxLength={1_000}
        rows={2}
        value={information}
        onChange={(event) => setInformation(event.currentTarget.value)}
      />
    </Dialog>
  )
}
