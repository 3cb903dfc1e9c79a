import { PasswordInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'

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
export function useChosenPassword(label = 'Password'): ChosenPassword {
  const [value, setValue] = useState('')
  const [repeated, setRepeated] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  return {
    value,
    isRepeated() {
      setProblem(value === repeated ? null : 'The two are not the same.')
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
          description={`At least ${SHORTEST} characters, with a digit. Several words are easy to remember.`}
          autoComplete="new-password"
          required
          minLength={SHORTEST}
          maxLength={LONGEST}
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
        />
        <PasswordInput
          label={`${label} again`}
          autoComplete="new-password"
          required
          value={repeated}
          error={problem}
          onChange={(event) => setRepeated(event.currentTarget.value)}
        />
      </>
    ),
  }
}
