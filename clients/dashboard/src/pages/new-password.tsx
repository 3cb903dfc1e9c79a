import { Button, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { ResetRequest } from '../../../../src/dashboard/contract.ts'
import { useChosenPassword } from '../parts/chosen-password.tsx'
import { Problem } from '../parts/page.tsx'
import { useAsking } from '../service/asking.ts'
import { go } from '../service/route.ts'
import { useSession } from '../service/session.tsx'
import { t } from '../words/words.ts'
import { EntranceCard } from './entrance-card.tsx'

/** What the link of a reset opens. */
export function NewPassword({ token }: { token: string }) {
  const { ask, refresh } = useSession()
  const password = useChosenPassword(t('account.password.new'))
  const [isDone, setIsDone] = useState(false)
  const { busy, error, run, forget } = useAsking()
  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!password.isRepeated()) return forget()
    const request: ResetRequest = { token, new_password: password.value }
    setIsDone(await run(() => ask('POST', '/dashboard/password', request)))
  }
  async function signIn() {
    go('#/', { replace: true })
    await refresh()
  }
  if (isDone)
    return (
      <EntranceCard title={t('account.password.choose')}>
        <Stack mt="md">
          <Text size="sm">{t('account.password.isSet')}</Text>
          <Button onClick={() => void signIn()}>{t('account.password.toSignIn')}</Button>
        </Stack>
      </EntranceCard>
    )
  return (
    <EntranceCard title={t('account.password.choose')} about={t('account.password.chooseAbout')}>
      <form onSubmit={submit}>
        <Stack>
          {error && <Problem error={error} />}
          {password.fields}
          <Button type="submit" loading={busy} fullWidth>
            {t('account.password.set')}
          </Button>
        </Stack>
      </form>
    </EntranceCard>
  )
}
