/** The form of an account at a gateway, made of what the gateway says of its fields. */
import { Alert, Button, NativeSelect, PasswordInput, TextInput } from '@mantine/core'
import { ExclamationTriangleIcon } from '@radix-ui/react-icons'
import { useEffect, useRef } from 'react'
import type { AccountField, Gateway } from '../../../../../src/dashboard/contract.ts'
import { t } from '../../words/words.ts'
import { type Account, type Group, type Problems, wordsIn } from './account.ts'

export function AccountFields({
  gateway,
  account,
  onChange,
  problems,
  isSet = () => false,
}: {
  gateway: Gateway
  account: Account
  onChange(account: Account): void
  problems: Problems
  /** Whether a credential is there already. */
  isSet?(name: string): boolean
}) {
  const groups = (['credentials', 'settings'] as const).flatMap((group) =>
    gateway[group].map((field) => ({ group, field })),
  )
  const show = ({ group, field }: { group: Group; field: AccountField }) => (
    <Field
      key={`${group}.${field.name}`}
      field={field}
      isSecret={group === 'credentials'}
      isSet={group === 'credentials' && isSet(field.name)}
      value={account[group][field.name]}
      problem={problems[`${group}.${field.name}`]}
      onChange={(value) => onChange({ ...account, [group]: { ...account[group], [field.name]: value } })}
    />
  )
  const rare = groups.filter(({ field }) => field.rare)
  const isRareOpen = rare.some(
    ({ group, field: { name } }) => problems[`${group}.${name}`] !== undefined || account[group][name] !== undefined,
  )
  const wrong = Object.keys(problems).length
  const form = useRef<HTMLDivElement>(null)
  // The first wrong field may stand far above the button.
  useEffect(() => {
    if (wrong > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [wrong])
  return (
    <div ref={form} className="stack">
      {wrong > 0 && (
        <Alert color="red" icon={<ExclamationTriangleIcon />} role="alert">
          {t('gateways.form.wrong', { count: wrong })}
        </Alert>
      )}
      <div className="named-fields">
        <TextInput
          label={t('common.name')}
          description={t('gateways.form.nameAbout')}
          required
          maxLength={80}
          data-autofocus
          value={account.name}
          error={problems.name}
          onChange={(event) => onChange({ ...account, name: event.currentTarget.value })}
        />
        <TextInput
          label={t('gateways.form.currency')}
          description={t('gateways.form.currencyAbout')}
          maxLength={3}
          value={account.currency}
          error={problems.default_currency}
          onChange={(event) => onChange({ ...account, currency: event.currentTarget.value })}
        />
      </div>
      {groups.filter(({ field }) => !field.rare).map(show)}
      {rare.length > 0 && (
        <details className="rare-fields" open={isRareOpen || undefined}>
          <summary>{t('gateways.form.rare')}</summary>
          <div className="stack">{rare.map(show)}</div>
        </details>
      )}
    </div>
  )
}

function Field({
  field,
  isSecret,
  isSet,
  value,
  problem,
  onChange,
}: {
  field: AccountField
  isSecret: boolean
  isSet: boolean
  /** Null for a credential that is taken away. */
  value: string | null | undefined
  problem: string | undefined
  onChange(value: string | null): void
}) {
  const { label, says, required, choices, range, example } = field
  const common = {
    label: wordsIn(label),
    description: wordsIn(says),
    withAsterisk: required && !isSet,
    value: value ?? '',
    error: problem,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  }
  const exampleWords =
    example === null ? undefined : t(range === null ? 'gateways.form.example' : 'gateways.form.presetIs', { example })
  if (choices !== null) {
    const none = required && value !== '' ? [] : [{ value: '', label: required ? '' : t('gateways.form.preset') }]
    return (
      <NativeSelect
        {...common}
        data={[...none, ...choices.map((choice) => ({ value: choice.value, label: wordsIn(choice.label) }))]}
      />
    )
  }
  if (isSecret) {
    const isRemoved = value === null
    const keptWords = t(isRemoved ? 'gateways.form.removed' : 'gateways.form.kept')
    return (
      <div>
        <PasswordInput
          {...common}
          // Mantine's does not tell this to screen readers, and the form finds its first wrong field by it.
          aria-invalid={problem !== undefined || undefined}
          disabled={isRemoved}
          autoComplete="new-password"
          placeholder={isSet ? keptWords : exampleWords}
        />
        {isSet && !required && (
          <Button
            variant="subtle"
            size="compact-sm"
            mt={4}
            aria-description={common.label}
            onClick={() => onChange(isRemoved ? '' : null)}
          >
            {t(isRemoved ? 'gateways.form.keep' : 'gateways.form.remove')}
          </Button>
        )}
      </div>
    )
  }
  return (
    <TextInput
      {...common}
      autoComplete="off"
      inputMode={range === null ? undefined : 'numeric'}
      placeholder={exampleWords}
    />
  )
}
