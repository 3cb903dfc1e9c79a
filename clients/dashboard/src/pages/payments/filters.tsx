import { Button, Checkbox, MultiSelect, NativeSelect, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { MagnifyingGlassIcon, MixerHorizontalIcon } from '@radix-ui/react-icons'
import { type FormEvent, useEffect, useState } from 'react'
import type { GatewayConfiguration } from '../../../../node/src/generated/schemas.ts'
import { FilterPills } from '../../parts/filter-pills.tsx'
import { DayFilter, TypedFilter } from '../../parts/typed-filter.tsx'
import { type List, useRead } from '../../service/read.ts'
import { go } from '../../service/route.ts'
import { useProject } from '../../service/session.tsx'
import { isolated, t } from '../../words/words.ts'
import { type Choice, type FilterField, type Filters as FilterValues, filterFields, periods } from './filter-fields.ts'

/** Filters that are set, or taken away. */
type Changed = { [Name in keyof FilterValues]: FilterValues[Name] | undefined }

export function Filters({ filters }: { filters: FilterValues }) {
  const { href } = useProject()
  const [shown, { toggle }] = useDisclosure(hasMore(filters))
  const { data } = useRead<List<'gateway_configurations', GatewayConfiguration>>('/gateway-configurations', {
    query: { limit: '100' },
  })
  const gateways = (data?.gateway_configurations ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const [search, setSearch] = useState(filters.search ?? '')
  useEffect(() => setSearch(filters.search ?? ''), [filters.search])

  const change = (changed: Changed) => go(href(['payments'], { ...filters, ...changed }))
  function submit(event: FormEvent) {
    event.preventDefault()
    change({ search: search.trim() })
  }

  return (
    <search className="filters">
      <form onSubmit={submit} className="filters-line">
        <TextInput
          className="filters-search"
          aria-label={t('payments.search.label')}
          placeholder={t('payments.search.placeholder')}
          leftSection={<MagnifyingGlassIcon />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <Button type="submit" variant="default">
          {t('payments.search.action')}
        </Button>
        <Button
          variant="default"
          leftSection={<MixerHorizontalIcon />}
          aria-expanded={shown}
          aria-controls="more-filters"
          onClick={toggle}
        >
          {t('payments.search.filters')}
        </Button>
      </form>
      {shown && <MoreFilters filters={filters} change={change} gateways={gateways} />}
      <Chosen filters={filters} change={change} gateways={gateways} />
    </search>
  )
}

interface PartProps {
  filters: FilterValues
  change(changed: Changed): void
  gateways: readonly Choice[]
}

function MoreFilters({ filters, change, gateways }: PartProps) {
  return (
    <div id="more-filters" className="filters-more">
      <Period filters={filters} change={change} />
      {filterFields.map(([name, field]) => (
        <Field
          key={name}
          field={field}
          value={filters[name] ?? ''}
          onChange={(value) => change({ [name]: value })}
          gateways={gateways}
          hasCurrency={Boolean(filters.currency)}
        />
      ))}
    </div>
  )
}

/** The two days by one choice. */
function Period({ filters, change }: Pick<PartProps, 'filters' | 'change'>) {
  const chosen = `${filters.created_from ?? ''}/${filters.created_to ?? ''}`
  const choices = periods()
  return (
    <NativeSelect
      label={t('payments.filter.period')}
      value={choices.some(({ value }) => value === chosen) ? chosen : ''}
      onChange={(event) => {
        const [created_from, created_to] = event.currentTarget.value.split('/')
        change({ created_from, created_to })
      }}
      data={[{ value: '', label: t('payments.search.any') }, ...choices]}
    />
  )
}

interface FieldProps {
  field: FilterField
  /** Empty where it is not filtered by. */
  value: string
  onChange(value: string): void
  gateways: readonly Choice[]
  hasCurrency: boolean
}

function Field({ field, value, onChange, gateways, hasCurrency }: FieldProps) {
  const { label } = field
  switch (field.kind) {
    case 'several':
      return (
        <MultiSelect
          label={label}
          {...(value ? {} : { placeholder: t('payments.search.any') })}
          data={field.choices}
          value={value ? value.split(',') : []}
          onChange={(values) => onChange(values.join(','))}
          searchable
          clearable
        />
      )
    case 'day':
      return <DayFilter label={label} value={value} onChange={onChange} />
    case 'gateway':
      return (
        <NativeSelect
          label={label}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          data={[{ value: '', label: t('payments.search.any') }, ...gateways]}
        />
      )
    case 'mark':
      return (
        <Checkbox
          label={label}
          className="filters-check"
          checked={value === 'true'}
          onChange={(event) => onChange(event.currentTarget.checked ? 'true' : '')}
        />
      )
    case 'text': {
      const { kind: _, words: __, capitals, needsCurrency, ...shown } = field
      return (
        <TypedFilter
          {...shown}
          value={value}
          onChange={(text) => onChange(capitals ? text.toUpperCase() : text)}
          {...(needsCurrency && !hasCurrency
            ? { disabled: true, description: t('payments.filter.currencyFirst') }
            : {})}
        />
      )
    }
  }
}

/** What is filtered by, each to be taken away. */
function Chosen({ filters, change, gateways }: PartProps) {
  const { href } = useProject()
  const chosen: { name: keyof FilterValues; label: string }[] = filterFields.flatMap(([name, field]) => {
    const value = filters[name]
    return value ? [{ name, label: wordsFor(field, value, gateways) }] : []
  })
  if (filters.search)
    chosen.unshift({ name: 'search', label: t('payments.search.text', { text: isolated(filters.search) }) })
  return <FilterPills chosen={chosen} whole={href(['payments'])} onRemove={(name) => change({ [name]: undefined })} />
}

function wordsFor(field: FilterField, value: string, gateways: readonly Choice[]): string {
  const nameOf = (choices: readonly Choice[], one: string) =>
    choices.find((choice) => choice.value === one)?.label ?? one
  if (field.kind === 'several')
    return value
      .split(',')
      .map((one) => nameOf(field.choices, one))
      .reduce((first, second) => t('payments.search.or', { first, second }))
  return field.kind === 'gateway' ? nameOf(gateways, value) : (field.words?.(value) ?? value)
}

function hasMore({ search, order, ...others }: FilterValues): boolean {
  return Object.keys(others).length > 0
}
