import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type {
  CodeGeneratorAnswer,
  CodeGeneratorRequest,
  NewPasskeyRequest,
  PasswordProof,
  SecondFactorAnswer,
} from '../../../../src/dashboard/contract.ts'
import { useAsking } from '../service/asking.ts'
import { makePasskey, passkeyProblem } from '../service/passkeys.ts'
import { useProject, useSession } from '../service/session.tsx'
import { isolated, t } from '../words/words.ts'
import { Dialog } from './dialog.tsx'
import { Section } from './page.tsx'
import { QrCode } from './qr-code.tsx'
import { say } from './said.ts'
import { Secret } from './secret.tsx'
import { Distance } from './values.tsx'

const ADDRESS = '/dashboard/second-factors'

type Question = 'passkey' | 'codes' | 'recovery' | { removes: string; path: string }

/** What a person has beside the password, and may add or remove. */
export function SecondFactors() {
  const { session } = useProject()
  const [question, setQuestion] = useState<Question | null>(null)
  const [recovery, setRecovery] = useState<string[] | null>(null)
  const { passkeys, code_generator: hasCodes, recovery_codes_left: left } = session.second_factors
  const hasAny = hasCodes || passkeys.length > 0
  const problem = passkeyProblem()
  const close = () => setQuestion(null)
  const done = (codes: string[] | null) => {
    close()
    setRecovery(codes)
  }
  return (
    <Section
      title={t('account.factor.title')}
      about={t(hasAny ? 'account.factor.required' : 'account.factor.noneYet')}
      flush={false}
    >
      <Stack>
        {hasAny && (
          <ul className="factors">
            {passkeys.map(({ id, name, last_used_at: at }) => (
              <Factor
                key={id}
                name={t('account.factor.passkey', { name: isolated(name) })}
                about={at === null ? t('account.factor.notUsed') : <Distance at={at} />}
                onRemove={() =>
                  setQuestion({
                    removes: t('account.factor.passkey', { name: isolated(name) }),
                    path: `passkeys/${id}`,
                  })
                }
              />
            ))}
            {hasCodes && (
              <Factor
                name={t('account.factor.app')}
                about={t('account.factor.showsCodes')}
                onRemove={() => setQuestion({ removes: t('account.factor.app'), path: 'codes' })}
              />
            )}
            <li>
              <Text size="sm">{t('account.factor.codesLeft', { count: left })}</Text>
            </li>
          </ul>
        )}
        <Group>
          <Button variant="default" disabled={problem !== null} onClick={() => setQuestion('passkey')}>
            {t('account.factor.addPasskey')}
          </Button>
          <Button variant="default" onClick={() => setQuestion('codes')}>
            {t(hasCodes ? 'account.factor.changeApp' : 'account.factor.setUpApp')}
          </Button>
          {hasAny && (
            <Button variant="default" onClick={() => setQuestion('recovery')}>
              {t('account.factor.newCodes')}
            </Button>
          )}
        </Group>
        {problem && (
          <Text size="sm" c="dimmed">
            {problem}
          </Text>
        )}
      </Stack>
      {question === 'passkey' && <NewPasskey onClose={close} onDone={done} />}
      {question === 'codes' && <NewCodes onClose={close} onDone={done} />}
      {question === 'recovery' && <NewRecovery onClose={close} onDone={done} />}
      {typeof question === 'object' && question !== null && <Removal {...question} onClose={close} />}
      {recovery && (
        <Secret
          title={t('account.factor.codesTitle')}
          secret={recovery.join(' ')}
          label={t('account.factor.codes')}
          advice={t('account.factor.codesAdvice')}
          onClose={() => setRecovery(null)}
        >
          <ul className="recovery-codes">
            {recovery.map((code) => (
              <li key={code}>
                <code>{code}</code>
              </li>
            ))}
          </ul>
        </Secret>
      )}
    </Section>
  )
}

function Factor({ name, about, onRemove }: { name: string; about: ReactNode; onRemove(): void }) {
  return (
    <li>
      <span className="two-lines">
        <span>{name}</span>
        <small>{about}</small>
      </span>
      <Button
        size="compact-xs"
        variant="subtle"
        color="red"
        onClick={onRemove}
        aria-label={t('account.factor.remove', { what: name })}
      >
        {t('common.remove')}
      </Button>
    </li>
  )
}

interface QuestionProps {
  onClose(): void
  /** With the recovery codes where there are new ones. */
  onDone(codes: string[] | null): void
}

/** The password once more, without which nothing about the second factor changes. */
function usePasswordProof() {
  const [password, setPassword] = useState('')
  const proof: PasswordProof = { current_password: password }
  const field = (
    <PasswordInput
      label={t('account.password.yours')}
      autoComplete="current-password"
      required
      data-autofocus
      value={password}
      onChange={(event) => setPassword(event.currentTarget.value)}
    />
  )
  return { proof, field }
}

function NewPasskey({ onClose, onDone }: QuestionProps) {
  const { ask, enterWith } = useSession()
  const { proof, field } = usePasswordProof()
  const [name, setName] = useState('')
  const { busy, error, run } = useAsking()
  const add = () =>
    run(async () => {
      const { options } = await ask<{ options: unknown }>('POST', `${ADDRESS}/passkeys/options`, proof)
      const request: NewPasskeyRequest = { name: name.trim(), passkey: await makePasskey(options) }
      const { recovery_codes } = await enterWith<SecondFactorAnswer>('POST', `${ADDRESS}/passkeys`, request)
      say(t('account.factor.passkeyAdded'))
      onDone(recovery_codes)
    })
  return (
    <Dialog
      title={t('account.factor.addPasskey')}
      opened
      onClose={onClose}
      action={t('common.add')}
      onAction={add}
      busy={busy}
      error={error}
    >
      {field}
      <TextInput
        label={t('account.factor.device')}
        required
        maxLength={80}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </Dialog>
  )
}

function NewCodes({ onClose, onDone }: QuestionProps) {
  const { ask, enterWith } = useSession()
  const { proof, field } = usePasswordProof()
  const [made, setMade] = useState<CodeGeneratorAnswer | null>(null)
  const [code, setCode] = useState('')
  const { busy, error, run } = useAsking()
  const begin = () => run(async () => setMade(await ask('POST', `${ADDRESS}/codes/options`, proof)))
  const finish = (answer: CodeGeneratorAnswer) =>
    run(async () => {
      const request: CodeGeneratorRequest = { secret: answer.secret, proof: answer.proof, code: code.trim() }
      const { recovery_codes } = await enterWith<SecondFactorAnswer>('PUT', `${ADDRESS}/codes`, request)
      say(t('account.factor.appIsSetUp'))
      onDone(recovery_codes)
    })
  const title = t('account.factor.setUpApp')
  if (made === null)
    return (
      <Dialog
        title={title}
        opened
        onClose={onClose}
        action={t('account.factor.goOn')}
        onAction={begin}
        busy={busy}
        error={error}
      >
        {field}
      </Dialog>
    )
  return (
    <Dialog
      title={title}
      opened
      onClose={onClose}
      action={t('account.factor.setUpAction')}
      onAction={() => finish(made)}
      busy={busy}
      error={error}
    >
      <Text size="sm">{t('account.factor.scan')}</Text>
      <QrCode code={made.qr_code} label={t('account.factor.qrCode')} />
      <TextInput label={t('account.factor.key')} value={made.secret} readOnly className="secret" />
      <TextInput
        label={t('account.factor.code')}
        autoComplete="one-time-code"
        required
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
    </Dialog>
  )
}

function NewRecovery({ onClose, onDone }: QuestionProps) {
  const { enterWith } = useSession()
  const { proof, field } = usePasswordProof()
  const { busy, error, run } = useAsking()
  const renew = () =>
    run(async () => {
      const { recovery_codes } = await enterWith<SecondFactorAnswer>('POST', `${ADDRESS}/recovery-codes`, proof)
      onDone(recovery_codes)
    })
  return (
    <Dialog
      title={t('account.factor.newCodes')}
      opened
      onClose={onClose}
      action={t('account.factor.makeThem')}
      onAction={renew}
      busy={busy}
      error={error}
    >
      <Text size="sm">{t('account.factor.earlierEnd')}</Text>
      {field}
    </Dialog>
  )
}

function Removal({ removes, path, onClose }: { removes: string; path: string; onClose(): void }) {
  const { enter } = useSession()
  const { proof, field } = usePasswordProof()
  const { busy, error, run } = useAsking()
  async function remove() {
    if (!(await run(() => enter('DELETE', `${ADDRESS}/${path}`, proof)))) return
    say(t('account.factor.removed'))
    onClose()
  }
  return (
    <Dialog
      title={t('account.factor.remove', { what: removes })}
      opened
      onClose={onClose}
      action={t('common.remove')}
      onAction={remove}
      busy={busy}
      error={error}
      isDangerous
    >
      {field}
    </Dialog>
  )
}
