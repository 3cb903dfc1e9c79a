import { Text } from '@mantine/core'
import { Dialog } from '../../parts/dialog.tsx'
import { useAct } from '../../service/act.ts'
import { isZero, lessOf, money } from '../../words/format.ts'
import { AmountField, useAmount } from './amount-field.tsx'
import type { PaymentDialogProps } from './dialog-props.ts'

export function VoidDialog({ invoice, transaction, onClose, onDone }: PaymentDialogProps) {
  const { currency, authorized_amount, captured_amount, voided_amount, status, supported_actions } = transaction
  const reserved = lessOf(lessOf(authorized_amount, captured_amount, currency), voided_amount, currency)
  // Without an outcome of the authorization the payment is given up as a whole.
  const isUnknown = status === 'pending' || isZero(reserved)
  const { amount, isAll, words, field } = useAmount(isUnknown ? transaction.amount : reserved, currency)
  const unknown =
    status === 'waiting'
      ? 'The customer has not confirmed the payment with the bank yet.'
      : `It is not known yet whether ${words} were reserved.`
  const release = useAct()
  async function run() {
    const body = isAll ? {} : { amount }
    if (await release.run('POST', `/invoices/${invoice.id}/void`, body)) onDone(`The void of ${words} was requested.`)
  }
  return (
    <Dialog
      title="Void"
      opened
      onClose={onClose}
      action={`Void ${words}`}
      onAction={run}
      busy={release.busy}
      error={release.error}
      isDisabled={amount === null}
      isDangerous
      movesMoney
    >
      <Text size="sm">
        {isUnknown
          ? `${unknown} The payment is given up, and what turns out approved later is released.`
          : `${words} are released and can no longer be captured. Nothing is charged.`}
      </Text>
      {!isUnknown && <AmountField {...field} isFixed={!supported_actions.includes('partial_void')} />}
      {!isUnknown && !isAll && amount !== null && (
        <Text size="sm" c="dimmed">
          {money(lessOf(reserved, amount, currency), currency)} stay reserved.
        </Text>
      )}
    </Dialog>
  )
}
