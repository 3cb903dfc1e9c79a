import { PasswordInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { t } from '../words/words.ts'

const SHORTEST = 12
const LONGEST = 200

export interface ChosenPassword {
  fields: ReactNode
  value: string
  /** Whether it was typed the same way twice; where it was not, the person is told. */
  isRepeated(): boolean
  clear(): void
}

/** A password that its person chooses, typed twice. */
export function useChosenPassword(label = t('account.password.label')): ChosenPassword {
  const [value, setValue] = useState('')
  const [repeated, setRepeated] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  return {
    value,
    isRepeated() {
      setProblem(value === repeated ? null : t('account.password.notSame'))
      return value === repeated
    },
    clear() {
      setValue('')
      setRepeated('')
    },
    fields: (
      <>
        <PasswordInput
          label={label}
          description={t('account.password.rule', { least: SHORTEST })}
          autoComplete="new-password"
          required
          minLength={SHORTEST}
          maxLength={LONGEST}
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
        />
        <PasswordInput
          label={t('account.password.again', { label })}
          autoComplete="new-password"
          required
          value={repeated}
          error={problem}
          // Mantine's does not tell this to screen readers.
          aria-invalid={problem !== null || undefined}
          onChange={(event) => setRepeated(event.currentTarget.value)}
        />
      </>
    ),
  }
}
