import { NativeSelect, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '../../parts/dialog.tsx'
import { say } from '../../parts/said.ts'
import { ApiError, addressOf } from '../../service/api.ts'
import { useProject } from '../../service/session.tsx'

const TABLES = [
  { value: 'transactions', label: 'Payments, as they stand now' },
  { value: 'operations', label: 'Operations: what became of each step' },
  { value: 'refunds', label: 'Refunds, as they stand now' },
]

const DAY_MS = 86_400_000
/** The service writes no more into one file; both days are part of it. */
const DAYS_MAX = 31

/** A day in UTC so many days after another one; undefined where that one is not complete. */
function dayAfter(day: string, days: number): string | undefined {
  const at = Date.parse(day) + days * DAY_MS
  return Number.isNaN(at) ? undefined : new Date(at).toISOString().slice(0, 10)
}

export function ExportDialog({ onClose }: { onClose(): void }) {
  const { api } = useProject()
  const today = new Date().toISOString().slice(0, 10)
  const [table, setTable] = useState('transactions')
  const [from, setFrom] = useState(`${today.slice(0, 8)}01`)
  const [to, setTo] = useState(today)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  async function run() {
    setBusy(true)
    setError(null)
    try {
      const file = await api.getFile(addressOf(`/exports/${table}.csv`, { from, until: dayAfter(to, 1) }))
      keep(file)
      say(`${file.name} was downloaded.`)
      onClose()
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog title="Export as CSV" opened onClose={onClose} action="Download" onAction={run} busy={busy} error={error}>
      <NativeSelect
        label="What"
        data-autofocus
        value={table}
        onChange={(event) => setTable(event.currentTarget.value)}
        data={TABLES}
      />
      <TextInput
        label="From"
        type="date"
        required
        max={today}
        value={from}
        onChange={(event) => setFrom(event.currentTarget.value)}
      />
      <TextInput
        label="To"
        type="date"
        required
        min={from}
        max={dayAfter(from, DAYS_MAX - 1)}
        value={to}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
      <Text size="sm" c="dimmed">
        By the day in UTC, the last one included; {DAYS_MAX} days at most.
      </Text>
    </Dialog>
  )
}

/** Has the browser put a file among the downloads of the person. */
function keep(file: File): void {
  const address = URL.createObjectURL(file)
  Object.assign(document.createElement('a'), { href: address, download: file.name }).click()
  // Some browsers begin to read it a moment later.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
