import { Button, PasswordInput, Stack } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { PasswordRequest } from '../../../../src/dashboard/contract.ts'
import { useAsking } from '../service/asking.ts'
import { useSession } from '../service/session.tsx'
import { useChosenPassword } from './chosen-password.tsx'
import { Problem } from './page.tsx'

export function PasswordForm({ onChanged }: { onChanged: () => void }) {
  const { enter } = useSession()
  const [current, setCurrent] = useState('')
  const wanted = useChosenPassword('New password')
  const { busy, error, run } = useAsking()

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!wanted.isRepeated()) return
    const request: PasswordRequest = { current_password: current, new_password: wanted.value }
    if (!(await run(() => enter('PUT', '/dashboard/password', request)))) return
    setCurrent('')
    wanted.clear()
    onChanged()
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
        {wanted.fields}
        <Button type="submit" loading={busy}>
          Change password
        </Button>
      </Stack>
    </form>
  )
}
