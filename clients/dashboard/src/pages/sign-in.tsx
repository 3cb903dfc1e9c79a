import { Alert, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { SignInRequest } from '../../../../src/dashboard/contract.ts'
import { Problem } from '../parts/page.tsx'
import { useAsking } from '../service/asking.ts'
import { useSession } from '../service/session.tsx'
import { EntranceCard } from './entrance-card.tsx'

export function SignIn({ ended }: { ended: boolean }) {
  return (
    <EntranceCard title="Sign in" about="To the payments of your projects.">
      <SignInForm ended={ended} />
    </EntranceCard>
  )
}

/** @param invited the address of an invitation, which is signed in to. */
export function SignInForm({ ended = false, invited }: { ended?: boolean; invited?: string }) {
  const { enter } = useSession()
  const [email, setEmail] = useState(invited ?? '')
  const [password, setPassword] = useState('')
  const { busy, error, run } = useAsking()

  async function submit(event: FormEvent) {
    event.preventDefault()
    const request: SignInRequest = { email: email.trim(), password }
    await run(() => enter('POST', '/dashboard/session', request))
  }

  return (
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
          autoFocus={invited === undefined}
          readOnly={invited !== undefined}
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
        <Text size="xs" c="dimmed">
          Lost your password? Whoever runs this service sends you a link to choose another one; an owner of your project
          knows whom to ask.
        </Text>
      </Stack>
    </form>
  )
}
