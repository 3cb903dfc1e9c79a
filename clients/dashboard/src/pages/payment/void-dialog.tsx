import { Text } from '@mantine/core'
import { Dialog } from '../../parts/dialog.tsx'
import { useAct } from '../../service/act.ts'
import { isZero, lessOf, money } from '../../words/format.ts'
import { t } from '../../words/words.ts'
import { AmountField, useAmount } from './amount-field.tsx'
import type { PaymentDialogProps } from './dialog-props.ts'
import { reservedOf } from './reserved.ts'

export function VoidDialog({ invoice, transaction, onClose, onDone }: PaymentDialogProps) {
  const { currency, status, supported_actions } = transaction
  const reserved = reservedOf(transaction)
  // Without an outcome of the authorization the payment is given up as a whole.
  const isUnknown = status === 'pending' || isZero(reserved)
  const { amount, isAll, words, field } = useAmount(isUnknown ? transaction.amount : reserved, currency)
  const about = !isUnknown ? 'about' : status === 'waiting' ? 'notConfirmed' : 'unknown'
  const release = useAct()
  async function run() {
    const body = isAll ? {} : { amount }
    if (await release.run('POST', `/invoices/${invoice.id}/void`, body))
      onDone(t('payment.void.done', { amount: words }))
  }
  return (
    <Dialog
      title={t('payment.actions.void')}
      opened
      onClose={onClose}
      action={t('payment.void.action', { amount: words })}
      onAction={run}
      busy={release.busy}
      error={release.error}
      isDisabled={amount === null}
      isDangerous
      movesMoney
    >
      <Text size="sm">{t(`payment.void.${about}`, { amount: words })}</Text>
      {!isUnknown && <AmountField {...field} isFixed={!supported_actions.includes('partial_void')} />}
      {!isUnknown && !isAll && amount !== null && (
        <Text size="sm" c="dimmed">
          {t('payment.void.stay', { amount: money(lessOf(reserved, amount, currency), currency) })}
        </Text>
      )}
    </Dialog>
  )
}
