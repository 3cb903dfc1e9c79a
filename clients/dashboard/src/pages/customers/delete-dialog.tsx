import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Customer } from '../../../../node/src/generated/schemas.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { say } from '../../parts/said.ts'
import { useAct } from '../../service/act.ts'
import { go } from '../../service/route.ts'
import { useProject } from '../../service/session.tsx'
import { marks, t } from '../../words/words.ts'

/** Asks for a word, since it cannot be undone, and says what is erased. */
export function DeleteDialog({ customer, title, onClose }: { customer: Customer; title: string; onClose(): void }) {
  const { href } = useProject()
  const [typed, setTyped] = useState('')
  const word = t('customers.deleteWord')
  const deletion = useAct()
  async function run() {
    if (!(await deletion.run('DELETE', `/customers/${encodeURIComponent(customer.id)}`))) return
    say(t('customers.deleted'))
    go(href(['customers']), { replace: true })
  }
  return (
    <Dialog
      title={t('customers.delete')}
      opened
      onClose={onClose}
      action={t('customers.delete')}
      onAction={run}
      busy={deletion.busy}
      error={deletion.error}
      isDisabled={typed.trim().toLowerCase() !== word}
      isDangerous
    >
      <Text fw={600}>
        <bdi>{title}</bdi>
      </Text>
      <Text size="sm">{t('customers.deleteAbout')}</Text>
      <TextInput
        label={t.rich('customers.deleteConfirm', { ...marks, word })}
        autoComplete="off"
        data-autofocus
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </Dialog>
  )
}
