import { Alert, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { SignInRequest } from '../../../../src/dashboard/contract.ts'
import { Problem } from '../parts/page.tsx'
import { useAsking } from '../service/asking.ts'
import { useSession } from '../service/session.tsx'
import { t } from '../words/words.ts'
import { EntranceCard } from './entrance-card.tsx'

export function SignIn({ ended }: { ended: boolean }) {
  return (
    <EntranceCard title={t('account.signIn.title')} about={t('account.signIn.about')}>
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
        {ended && !busy && error === null && (
          <Alert color="yellow" title={t('account.signIn.ended')}>
            {t('account.signIn.endedAdvice')}
          </Alert>
        )}
        {error && <Problem error={error} />}
        <TextInput
          label={t('common.email')}
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
          label={t('account.password.label')}
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" loading={busy} fullWidth>
          {t('account.signIn.title')}
        </Button>
        <Text size="xs" c="dimmed">
          {t('account.signIn.lost')}
        </Text>
      </Stack>
    </form>
  )
}
