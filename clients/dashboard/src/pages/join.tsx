import { Button, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import type { LinkRequest, NewAccountRequest, OpenInvitation } from '../../../../src/dashboard/contract.ts'
import { useChosenPassword } from '../parts/chosen-password.tsx'
import { Problem } from '../parts/page.tsx'
import { useAsking } from '../service/asking.ts'
import { go } from '../service/route.ts'
import { useSession } from '../service/session.tsx'
import { ROLE_WORDS } from '../words/status.ts'
import { isolated, marks, t } from '../words/words.ts'
import { EntranceCard } from './entrance-card.tsx'
import { SignInForm } from './sign-in.tsx'

/** To the pages, without the secret of the link in the address. */
const leave = () => go('#/', { replace: true })

/** What the link of an invitation opens. It shows the same whether the address has an account or not. */
export function Join({ token }: { token: string }) {
  const { ask } = useSession()
  const [invitation, setInvitation] = useState<OpenInvitation | null>(null)
  const { error, run } = useAsking()
  function read() {
    const request: LinkRequest = { token }
    return run(async () => {
      const answer = await ask<{ invitation: OpenInvitation }>('POST', '/dashboard/invitation', request)
      setInvitation(answer.invitation)
    })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the link is asked about once
  useEffect(() => void read(), [token])
  if (invitation === null)
    return (
      <EntranceCard title={t('account.join.title')}>
        {error && (
          <Stack mt="md">
            <Problem error={error} {...(!error.isDecided && { retry: read })} />
            <Button variant="default" onClick={leave}>
              {t('account.join.leave')}
            </Button>
          </Stack>
        )}
      </EntranceCard>
    )
  return <Invited token={token} invitation={invitation} />
}

function Invited({ token, invitation }: { token: string; invitation: OpenInvitation }) {
  const { state } = useSession()
  const [hasAccount, setHasAccount] = useState(false)
  const { project_name: project, role, email, invited_by: invitedBy } = invitation
  const words = ROLE_WORDS[role]
  const frame = (form: ReactNode, other?: ReactNode) => (
    <EntranceCard
      title={t('account.join.heading', { project: isolated(project) })}
      about={t.rich('account.join.about', {
        ...marks,
        inviter: invitedBy ?? t('account.join.operator'),
        email,
        role: words.words,
        meaning: words.meaning,
      })}
    >
      {form}
      {other}
    </EntranceCard>
  )
  if (state.kind === 'signed-in') {
    const { person } = state.session
    return frame(person.email === email ? <Accept token={token} name={person.name} /> : <Other is={person.email} />)
  }
  const turn = (
    <Button variant="subtle" color="gray" fullWidth mt="xs" onClick={() => setHasAccount(!hasAccount)}>
      {t(hasAccount ? 'account.join.noAccount' : 'account.join.hasAccount')}
    </Button>
  )
  return frame(hasAccount ? <SignInForm invited={email} /> : <NewAccount token={token} email={email} />, turn)
}

function Accept({ token, name }: { token: string; name: string }) {
  const { enter } = useSession()
  const { busy, error, run } = useAsking()
  async function accept() {
    const request: LinkRequest = { token }
    if (await run(() => enter('POST', '/dashboard/membership', request))) leave()
  }
  return (
    <Stack mt="md">
      {error && <Problem error={error} />}
      <Text size="sm">{t.rich('account.join.signedInAs', { ...marks, name })}</Text>
      <Button loading={busy} onClick={() => void accept()}>
        {t('account.join.accept')}
      </Button>
      <Button variant="subtle" color="gray" onClick={leave}>
        {t('account.join.notNow')}
      </Button>
    </Stack>
  )
}

/** Somebody else is signed in here. */
function Other({ is }: { is: string }) {
  const { signOut } = useSession()
  return (
    <Stack mt="md">
      <Text size="sm">{t.rich('account.join.signedInAsOther', { ...marks, name: is })}</Text>
      <Button onClick={() => void signOut()}>{t('common.signOut')}</Button>
      <Button variant="subtle" color="gray" onClick={leave}>
        {t('account.join.notNow')}
      </Button>
    </Stack>
  )
}

function NewAccount({ token, email }: { token: string; email: string }) {
  const { enter } = useSession()
  const [name, setName] = useState('')
  const password = useChosenPassword()
  const { busy, error, run, forget } = useAsking()
  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!password.isRepeated()) return forget()
    const request: NewAccountRequest = { token, name: name.trim(), password: password.value }
    if (await run(() => enter('POST', '/dashboard/account', request))) leave()
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        {error && <Problem error={error} />}
        <TextInput label={t('common.email')} type="email" name="email" autoComplete="username" readOnly value={email} />
        <TextInput
          label={t('common.name')}
          name="name"
          autoComplete="name"
          required
          autoFocus
          maxLength={80}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {password.fields}
        <Button type="submit" loading={busy} fullWidth>
          {t('account.join.make')}
        </Button>
      </Stack>
    </form>
  )
}
