import { Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { ReconciliationDifference } from '../../../../node/src/generated/schemas.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { say } from '../../parts/said.ts'
import { useAct } from '../../service/act.ts'
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
    say('The difference was resolved.')
    onClose()
  }
  return (
    <Dialog
      title="Resolve the difference"
      opened
      onClose={onClose}
      action="Resolve for good"
      onAction={run}
      busy={resolve.busy}
      error={resolve.error}
      isDisabled={reason.trim() === ''}
      isDangerous
    >
      <Text size="sm">{differenceWords(difference)}</Text>
      <Text size="sm">
        Resolve it when nothing is left to be done: no money moves, no payment changes, and it is not found again.
      </Text>
      <Textarea
        label="Reason"
        description="Why no action is left. It is kept with the difference, together with your name."
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
