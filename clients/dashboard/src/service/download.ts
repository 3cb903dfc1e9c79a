/** A file of the service among the downloads of the person, with how far it has come. */
import { useEffect, useRef, useState } from 'react'
import { ApiError } from './api.ts'
import { useProject } from './session.tsx'

export interface Download {
  /** How many records have come; null while nothing is on its way. */
  records: number | null
  error: ApiError | null
  /** @returns whether the file is there, and not given up. */
  start(address: string, name: string): Promise<boolean>
  cancel(): void
}

export function useDownload(): Download {
  const { api } = useProject()
  const [records, setRecords] = useState<number | null>(null)
  const [error, setError] = useState<ApiError | null>(null)
  const control = useRef<AbortController | null>(null)
  const cancel = () => control.current?.abort()
  // Nobody waits any more for the file of a page that is left.
  useEffect(() => () => control.current?.abort(), [])
  async function start(address: string, name: string) {
    const started = new AbortController()
    control.current = started
    const { signal } = started
    setRecords(0)
    setError(null)
    try {
      const file = await api.getFile(address, { signal, onRecords: setRecords })
      keep(file, name)
      return true
    } catch (failure) {
      if (signal.aborted) return false
      if (!(failure instanceof ApiError)) throw failure
      setError(failure)
      return false
    } finally {
      setRecords(null)
    }
  }
  return { records, error, start, cancel }
}

function keep(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  Object.assign(document.createElement('a'), { href: address, download: name }).click()
  // Some browsers begin to read it a moment later.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
