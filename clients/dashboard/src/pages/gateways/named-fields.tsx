import { Fieldset, PasswordInput, Text, TextInput } from '@mantine/core'
import type { Gateway } from '../../../../../src/http/dashboard/contract.ts'
import { useRead } from '../../service/read.ts'

/** What accounts may be added of, in this environment. */
export function useInstalledGateways(): readonly Gateway[] {
  return useRead<{ gateways: Gateway[] }>('/dashboard/gateways').data?.gateways ?? []
}

/** Texts by their names. */
export function NamedFields({
  title,
  about,
  names,
  values,
  onChange,
  isSecret = false,
}: {
  title: string
  about?: string
  names: readonly string[]
  values: Readonly<Record<string, string>>
  onChange(values: Record<string, string>): void
  isSecret?: boolean
}) {
  if (names.length === 0) return null
  const Field = isSecret ? PasswordInput : TextInput
  return (
    <Fieldset legend={title}>
      {about && (
        <Text size="sm" c="dimmed">
          {about}
        </Text>
      )}
      <div className="named-fields">
        {names.map((name) => (
          <Field
            key={name}
            label={name}
            autoComplete={isSecret ? 'new-password' : 'off'}
            value={values[name] ?? ''}
            onChange={(event) => onChange({ ...values, [name]: event.currentTarget.value })}
          />
        ))}
      </div>
    </Fieldset>
  )
}

/** What differs from what is there; null takes a value away. */
export function changedOf(
  values: Readonly<Record<string, string>>,
  before: Readonly<Record<string, string>>,
): Record<string, string | null> {
  const changed = Object.entries(values).filter(([name, value]) => value !== (before[name] ?? ''))
  return Object.fromEntries(changed.map(([name, value]) => [name, value === '' ? null : value]))
}
