import { Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '../../parts/dialog.tsx'
import { useAct } from '../../service/act.ts'
import { lessOf, money } from '../../words/format.ts'
import { AmountField, useAmount } from './amount-field.tsx'
import type { PaymentDialogProps } from './dialog-props.ts'

export function CaptureDialog({ invoice, transaction, onClose, onDone }: PaymentDialogProps) {
  const { currency, authorized_amount, captured_amount, voided_amount } = transaction
  const reserved = lessOf(lessOf(authorized_amount, captured_amount, currency), voided_amount, currency)
  const [keepsRest, setKeepsRest] = useState(false)
  const { amount, isAll, words, field } = useAmount(reserved, currency)
  const capture = useAct()
  async function run() {
    const type = keepsRest && !isAll ? 'non-final' : 'final'
    const body = { capture_amount: amount, capture_type: type }
    if (await capture.run('POST', `/invoices/${invoice.id}/capture`, body))
      onDone(`The capture of ${words} was requested.`)
  }
  return (
    <Dialog
      title="Capture"
      opened
      onClose={onClose}
      action={`Capture ${words}`}
      onAction={run}
      busy={capture.busy}
      error={capture.error}
      isDisabled={amount === null}
      movesMoney
    >
      <Text size="sm">
        {money(reserved, currency)} are reserved for {invoice.name}. The customer is charged {words}.
      </Text>
      <AmountField {...field} isFixed={!transaction.supported_actions.includes('partial_capture')} />
      {amount !== null && !isAll && (
        <Switch
          label="Keep the rest reserved"
          description={`Otherwise ${money(lessOf(reserved, amount, currency), currency)} are released.`}
          checked={keepsRest}
          onChange={(event) => setKeepsRest(event.currentTarget.checked)}
        />
      )}
    </Dialog>
  )
}
