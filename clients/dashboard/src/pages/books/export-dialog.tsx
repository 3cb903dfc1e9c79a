import { NativeSelect, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '../../parts/dialog.tsx'
import { DownloadLine } from '../../parts/download-line.tsx'
import { say } from '../../parts/said.ts'
import { addressOf } from '../../service/api.ts'
import { useDownload } from '../../service/download.ts'
import { t } from '../../words/words.ts'
import { beginOf, dayOf } from '../payments/filter-fields.ts'

const TABLES = (['transactions', 'operations', 'refunds'] as const).map((value) => ({
  value,
  label: t(`books.export.${value}`),
}))

export function ExportDialog({ onClose }: { onClose(): void }) {
  const today = dayOf(new Date())
  const [table, setTable] = useState('transactions')
  const [from, setFrom] = useState(`${today.slice(0, 8)}01`)
  const [to, setTo] = useState(today)
  const download = useDownload()
  async function run() {
    const name = `${table}-${from}-${to}.csv`
    const span = { from: beginOf(from, 0), until: beginOf(to, 1) }
    if (!(await download.start(addressOf(`/exports/${table}.csv`, span), name))) return
    say(t('payments.file.done', { name }))
    onClose()
  }
  return (
    <Dialog
      title={t('payments.file.export')}
      opened
      onClose={onClose}
      action={t('books.export.download')}
      onAction={run}
      busy={download.records !== null}
    >
      <NativeSelect
        label={t('books.export.what')}
        data-autofocus
        value={table}
        onChange={(event) => setTable(event.currentTarget.value)}
        data={TABLES}
      />
      <TextInput
        label={t('books.export.from')}
        type="date"
        required
        max={today}
        value={from}
        onChange={(event) => setFrom(event.currentTarget.value)}
      />
      <TextInput
        label={t('books.export.to')}
        type="date"
        required
        min={from}
        value={to}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
      <Text size="sm" c="dimmed">
        {t('books.export.days')}
      </Text>
      <DownloadLine download={download} words={(count) => t('books.export.written', { count })} />
    </Dialog>
  )
}
