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
      title="Second factor"
      about={hasAny ? 'Required after your password.' : 'None yet: your password alone signs in.'}
      flush={false}
    >
      <Stack>
        {hasAny && (
          <ul className="factors">
            {passkeys.map(({ id, name, last_used_at: at }) => (
              <Factor
                key={id}
                name={`Passkey ${name}`}
                about={at === null ? 'not used yet' : <Distance at={at} />}
                onRemove={() => setQuestion({ removes: `the passkey ${name}`, path: `passkeys/${id}` })}
              />
            ))}
            {hasCodes && (
              <Factor
                name="Authenticator app"
                about="shows codes"
                onRemove={() => setQuestion({ removes: 'the authenticator app', path: 'codes' })}
              />
            )}
            <li>
              <Text size="sm">{left} recovery codes left</Text>
            </li>
          </ul>
        )}
        <Group>
          <Button variant="default" disabled={problem !== null} onClick={() => setQuestion('passkey')}>
            Add a passkey
          </Button>
          <Button variant="default" onClick={() => setQuestion('codes')}>
            {hasCodes ? 'Change the app' : 'Set up an authenticator app'}
          </Button>
          {hasAny && (
            <Button variant="default" onClick={() => setQuestion('recovery')}>
              New recovery codes
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
          title="Recovery codes"
          secret={recovery.join(' ')}
          label="Codes"
          advice="Store the codes apart from your device: each replaces it once."
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
      <Button size="compact-xs" variant="subtle" color="red" onClick={onRemove} aria-label={`Remove ${name}`}>
        Remove
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
      label="Your password"
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
      say('The passkey was added.')
      onDone(recovery_codes)
    })
  return (
    <Dialog title="Add a passkey" opened onClose={onClose} action="Add" onAction={add} busy={busy} error={error}>
      {field}
      <TextInput
        label="Name of the device"
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
      say('The authenticator app is set up.')
      onDone(recovery_codes)
    })
  const title = 'Set up an authenticator app'
  if (made === null)
    return (
      <Dialog title={title} opened onClose={onClose} action="Go on" onAction={begin} busy={busy} error={error}>
        {field}
      </Dialog>
    )
  return (
    <Dialog
      title={title}
      opened
      onClose={onClose}
      action="Set up"
      onAction={() => finish(made)}
      busy={busy}
      error={error}
    >
      <Text size="sm">Scan this with the app, or type the key. Then enter the code that it shows.</Text>
      <QrCode code={made.qr_code} label="The key as a QR code" />
      <TextInput label="Key" value={made.secret} readOnly className="secret" />
      <TextInput
        label="Code"
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
      title="New recovery codes"
      opened
      onClose={onClose}
      action="Make them"
      onAction={renew}
      busy={busy}
      error={error}
    >
      <Text size="sm">Earlier codes no longer work.</Text>
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
    say('It was removed.')
    onClose()
  }
  return (
    <Dialog
      title={`Remove ${removes}`}
      opened
      onClose={onClose}
      action="Remove"
      onAction={remove}
      busy={busy}
      error={error}
      isDangerous
    >
      {field}
    </Dialog>
  )
}
