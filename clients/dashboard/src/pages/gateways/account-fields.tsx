/** What can be written about an account at a gateway. */
import { Fieldset, PasswordInput, Text, TextInput } from '@mantine/core'
import type { Gateway } from '../../../../../src/dashboard/contract.ts'
import { useRead } from '../../service/read.ts'

export interface Account {
  name: string
  currency: string
  /** Those that were typed; what is there already is told to nobody. */
  credentials: Record<string, string>
  settings: Record<string, string>
}

/** What accounts may be added of, in this environment. */
export function useInstalledGateways(): readonly Gateway[] {
  return useRead<{ gateways: Gateway[] }>('/dashboard/gateways').data?.gateways ?? []
}

/** The fields of a request, of which only what differs from `before` is sent; null takes a value away. */
export function accountBody({ name, currency, credentials, settings }: Account, before: Account): object {
  return {
    name: name.trim(),
    ...(currency !== before.currency && { default_currency: currency.trim().toUpperCase() }),
    credentials: changedOf(credentials, before.credentials),
    settings: changedOf(settings, before.settings),
  }
}

function changedOf(
  values: Readonly<Record<string, string>>,
  before: Readonly<Record<string, string>>,
): Record<string, string | null> {
  const changed = Object.entries(values).filter(([name, value]) => value !== (before[name] ?? ''))
  return Object.fromEntries(changed.map(([name, value]) => [name, value === '' ? null : value]))
}

export function AccountFields({
  account,
  onChange,
  credentials,
  settings,
  isNew = false,
}: {
  account: Account
  onChange(account: Account): void
  /** The names that its gateway knows. */
  credentials: readonly string[]
  settings: readonly string[]
  isNew?: boolean
}) {
  return (
    <>
      <TextInput
        label="Name"
        description="A name of your own, such as the country that it serves."
        required
        maxLength={80}
        data-autofocus
        value={account.name}
        onChange={(event) => onChange({ ...account, name: event.currentTarget.value })}
      />
      <TextInput
        label="Currency"
        maxLength={3}
        value={account.currency}
        onChange={(event) => onChange({ ...account, currency: event.currentTarget.value })}
      />
      <NamedFields
        title="Credentials"
        about={`They are encrypted and never shown again.${isNew ? '' : ' An empty field leaves what is there.'}`}
        names={credentials}
        values={account.credentials}
        onChange={(values) => onChange({ ...account, credentials: values })}
        isSecret
      />
      <NamedFields
        title="Settings"
        about="Empty fields keep their defaults."
        names={settings}
        values={account.settings}
        onChange={(values) => onChange({ ...account, settings: values })}
      />
    </>
  )
}

/** Texts by their names. */
function NamedFields({
  title,
  about,
  names,
  values,
  onChange,
  isSecret = false,
}: {
  title: string
  about: string
  names: readonly string[]
  values: Readonly<Record<string, string>>
  onChange(values: Record<string, string>): void
  isSecret?: boolean
}) {
  if (names.length === 0) return null
  const Field = isSecret ? PasswordInput : TextInput
  return (
    <Fieldset legend={title}>
      <Text size="sm" c="dimmed">
        {about}
      </Text>
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
