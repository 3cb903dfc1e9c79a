import { Button, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { SecondFactorRequest, Session } from '../../../../src/dashboard/contract.ts'
import { Problem } from '../parts/page.tsx'
import { useAsking } from '../service/asking.ts'
import { signWithPasskey } from '../service/passkeys.ts'
import { useSession } from '../service/session.tsx'
import { marks, t } from '../words/words.ts'
import { EntranceCard } from './entrance-card.tsx'

const ADDRESS = '/dashboard/session/second-factor'

/** Between the password and the pages, for who has something beside the password. */
export function SecondFactor({ session }: { session: Session }) {
  const { ask, enter, signOut } = useSession()
  const { passkeys, code_generator: hasCodes } = session.second_factors
  const [isLost, setIsLost] = useState(false)
  const { busy, error, run, forget } = useAsking()
  const confirm = (request: SecondFactorRequest) => run(() => enter('POST', ADDRESS, request))
  const turn = () => {
    setIsLost(!isLost)
    forget()
  }
  const byPasskey = () =>
    run(async () => {
      const { options } = await ask<{ options: unknown }>('POST', `${ADDRESS}/options`, {})
      const request: SecondFactorRequest = { passkey: await signWithPasskey(options) }
      await enter('POST', ADDRESS, request)
    })
  return (
    <EntranceCard
      title={t('account.factor.confirm')}
      about={t.rich('account.factor.beside', { ...marks, email: session.person.email })}
    >
      <Stack mt="md">
        {error && <Problem error={error} />}
        {isLost ? (
          <>
            <CodeForm
              key="recovery"
              label={t('account.factor.recoveryCode')}
              busy={busy}
              onCode={(code) => confirm({ recovery_code: code })}
            />
            <Text size="sm">{t('account.factor.recoveryAdvice')}</Text>
          </>
        ) : (
          <>
            {passkeys.length > 0 && (
              <Button loading={busy} onClick={() => void byPasskey()}>
                {t('account.factor.usePasskey')}
              </Button>
            )}
            {hasCodes && (
              <CodeForm
                key="code"
                label={t('account.factor.codeOfApp')}
                busy={busy}
                onCode={(code) => confirm({ code })}
              />
            )}
          </>
        )}
        <Button variant="subtle" color="gray" onClick={turn}>
          {t(isLost ? 'account.factor.hasDevice' : 'account.factor.lostDevice')}
        </Button>
        <Button variant="subtle" color="gray" onClick={() => void signOut()}>
          {t('common.signOut')}
        </Button>
      </Stack>
    </EntranceCard>
  )
}

function CodeForm({ label, busy, onCode }: { label: string; busy: boolean; onCode(code: string): unknown }) {
  const [code, setCode] = useState('')
  function submit(event: FormEvent) {
    event.preventDefault()
    void onCode(code.trim())
  }
  return (
    <form onSubmit={submit} className="code-form">
      <Stack>
        <TextInput
          label={label}
          autoComplete="one-time-code"
          required
          autoFocus
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Button type="submit" loading={busy} fullWidth>
          {t('common.confirm')}
        </Button>
      </Stack>
    </form>
  )
}
