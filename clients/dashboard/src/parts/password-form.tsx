import { Button, PasswordInput, Stack } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { PasswordRequest } from '../../../../src/dashboard/contract.ts'
import { useAsking } from '../service/asking.ts'
import { useSession } from '../service/session.tsx'
import { t } from '../words/words.ts'
import { useChosenPassword } from './chosen-password.tsx'
import { Problem } from './page.tsx'

export function PasswordForm({ onChanged }: { onChanged: () => void }) {
  const { enter } = useSession()
  const [current, setCurrent] = useState('')
  const wanted = useChosenPassword(t('account.password.new'))
  const { busy, error, run, forget } = useAsking()

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!wanted.isRepeated()) return forget()
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
          label={t('account.password.current')}
          autoComplete="current-password"
          required
          value={current}
          onChange={(event) => setCurrent(event.currentTarget.value)}
        />
        {wanted.fields}
        <Button type="submit" loading={busy}>
          {t('account.password.change')}
        </Button>
      </Stack>
    </form>
  )
}
