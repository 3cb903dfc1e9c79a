import { Button, PasswordInput, Stack } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { ApiError } from '../service/api.ts'
import { useSession } from '../service/session.tsx'
import { Problem } from './page.tsx'

const SHORTEST = 12
const LONGEST = 200

export function PasswordForm({ onChanged }: { onChanged?: () => void }) {
  const { changePassword } = useSession()
  const [current, setCurrent] = useState('')
  const [wanted, setWanted] = useState('')
  const [repeated, setRepeated] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [error, setError] = useState<ApiError | null>(null)
  const [busy, setBusy] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    setError(null)
    const found = wanted === repeated ? null : 'The two are not the same.'
    setProblem(found)
    if (found !== null) return
    setBusy(true)
    try {
      await changePassword({ current_password: current, new_password: wanted })
      setCurrent('')
      setWanted('')
      setRepeated('')
      onChanged?.()
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure
      setError(failure)
    } finally {
      setBusy(false)
    }
  }

  return (
    <form onSubmit={submit}>
      <Stack>
        {error && <Problem error={error} />}
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          required
          value={current}
          onChange={(event) => setCurrent(event.currentTarget.value)}
        />
        <PasswordInput
          label="New password"
          description={`At least ${SHORTEST} characters. Several words are easy to remember.`}
          autoComplete="new-password"
          required
          minLength={SHORTEST}
          maxLength={LONGEST}
          value={wanted}
          onChange={(event) => setWanted(event.currentTarget.value)}
        />
        <PasswordInput
          label="New password again"
          autoComplete="new-password"
          required
          value={repeated}
          error={problem}
          onChange={(event) => setRepeated(event.currentTarget.value)}
        />
        <Button type="submit" loading={busy}>
          Change password
        </Button>
      </Stack>
    </form>
  )
}
