import { Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { ReconciliationDifference } from '../../../../node/src/generated/schemas.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { say } from '../../parts/said.ts'
import { useAct } from '../../service/act.ts'
import { t } from '../../words/words.ts'
import { differenceWords } from './difference-words.ts'

export function ResolveDialog({
  difference,
  onClose,
  onAnswered,
}: {
  difference: ReconciliationDifference
  onClose(): void
  /** Also after a refusal: somebody else may have resolved it meanwhile. */
  onAnswered(): unknown
}) {
  const [reason, setReason] = useState('')
  const resolve = useAct()
  async function run() {
    const path = `/reconciliation-differences/${difference.id}/resolve`
    const answer = await resolve.run('POST', path, { reason: reason.trim() })
    await onAnswered()
    if (answer === undefined) return
    say(t('books.resolve.done'))
    onClose()
  }
  return (
    <Dialog
      title={t('books.resolve.title')}
      opened
      onClose={onClose}
      action={t('books.resolve.forGood')}
      onAction={run}
      busy={resolve.busy}
      error={resolve.error}
      isDisabled={reason.trim() === ''}
      isDangerous
    >
      <Text size="sm">{differenceWords(difference)}</Text>
      <Text size="sm">{t('books.resolve.about')}</Text>
      <Textarea
        label={t('books.resolve.reason')}
        description={t('books.resolve.reasonAbout')}
        required
        maxLength={500}
        rows={3}
        data-autofocus
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </Dialog>
  )
}
