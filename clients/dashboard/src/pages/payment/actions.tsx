/** What can be done with a payment. Each asks first, and names the amount. */
import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Invoice, Transaction } from '../../../../node/src/generated/schemas.ts'
import { Problem } from '../../parts/page.tsx'
import { say } from '../../parts/said.ts'
import { useAct } from '../../service/act.ts'
import { useProject } from '../../service/session.tsx'
import { t } from '../../words/words.ts'
import { CaptureDialog } from './capture-dialog.tsx'
import { ClockDialog } from './clock-dialog.tsx'
import type { PaymentDialogProps } from './dialog-props.ts'
import { RefundDialog } from './refund-dialog.tsx'
import { VoidDialog } from './void-dialog.tsx'

type Question = 'capture' | 'refund' | 'void' | 'clock'

export function Actions({
  invoice,
  transaction,
  onDone,
}: {
  invoice: Invoice
  transaction: Transaction
  onDone(): unknown
}) {
  const { can, project } = useProject()
  const [asked, setAsked] = useState<Question | null>(null)
  const look = useAct()
  const may = (action: Transaction['supported_actions'][number]) => transaction.supported_actions.includes(action)
  const isUnknown = ['pending', 'pending-capture'].includes(transaction.status)
  const mayAdvance = project.environment === 'sandbox' && can('payments')

  const dialog: PaymentDialogProps = {
    invoice,
    transaction,
    onClose() {
      setAsked(null)
      // What was refused, or given up, may be about a payment that is no longer what this page shows.
      void onDone()
    },
    onDone(words) {
      setAsked(null)
      say(words)
      void onDone()
    },
  }
  async function lookUp() {
    if (await look.run('PUT', `/invoices/${invoice.id}/sync-with-psp`, {})) dialog.onDone(t('payment.actions.asked'))
  }

  return (
    <>
      {can('payments') && may('capture') && (
        <Button onClick={() => setAsked('capture')}>{t('payment.actions.capture')}</Button>
      )}
      {can('refunds') && may('refund') && (
        <Button variant="default" onClick={() => setAsked('refund')}>
          {t('payment.actions.refund')}
        </Button>
      )}
      {can('payments') && may('void') && (
        <Button variant="default" onClick={() => setAsked('void')}>
          {t('payment.actions.void')}
        </Button>
      )}
      {can('payments') && isUnknown && (
        <Button variant="default" loading={look.busy} onClick={lookUp}>
          {t('payment.actions.ask')}
        </Button>
      )}
      {mayAdvance && (
        <Button variant="default" onClick={() => setAsked('clock')}>
          {t('payment.actions.clock')}
        </Button>
      )}
      {look.error && <Problem error={look.error} />}
      {asked === 'capture' && <CaptureDialog {...dialog} />}
      {asked === 'refund' && <RefundDialog {...dialog} />}
      {asked === 'void' && <VoidDialog {...dialog} />}
      {asked === 'clock' && <ClockDialog {...dialog} />}
    </>
  )
}
