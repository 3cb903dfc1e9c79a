import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Problem } from '../parts/page.tsx'
import { ApiError } from '../service/api.ts'
import { useSession } from '../service/session.tsx'
import { EntranceCard } from './entrance-card.tsx'

export function SignIn({ ended }: { ended: boolean }) {
  const { signIn } = useSession()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)

  async function submit(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    setError(null)
    try {
      await signIn({ email: email.trim(), password })
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure
      setError(failure)
      setBusy(false)
    }
  }

  return (
    <EntranceCard title="Sign in" about="To the payments of your projects.">
      <form onSubmit={submit}>
        <Stack>
          {ended && error === null && (
            <Alert color="yellow" title="You were signed out">
              Your session has ended. Sign in again to go on where you were.
            </Alert>
          )}
          {error && <Problem error={error} />}
          <TextInput
            label="Email"
            type="email"
            name="email"
            autoComplete="username"
            required
            autoFocus
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordInput
            label="Password"
            name="password"
            autoComplete="current-password"
            required
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Button type="submit" loading={busy} fullWidth>
            Sign in
          </Button>
        </Stack>
      </form>
    </EntranceCard>
  )
}
