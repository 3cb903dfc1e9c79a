import { Button, Checkbox, Group, MultiSelect, NativeSelect, Pill, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { MagnifyingGlassIcon, MixerHorizontalIcon } from '@radix-ui/react-icons'
import { type FormEvent, useEffect, useState } from 'react'
import { TRANSACTION_STATUSES } from '../../../../../domain/transaction.ts'
import type { GatewayConfiguration } from '../../../../node/src/generated/schemas.ts'
import { DayFilter, TypedFilter, type TypedFilterProps } from '../../parts/typed-filter.tsx'
import type { List } from '../../service/read.ts'
import { useRead } from '../../service/read.ts'
import { go } from '../../service/route.ts'
import { useProject } from '../../service/session.tsx'
import { PAYMENT_STATUSES } from '../../words/status.ts'
import type { Filters as FilterValues } from './filter-query.ts'

/** Filters that are set, or taken away. */
type Changed = { [Name in keyof FilterValues]: FilterValues[Name] | undefined }

const STATUSES = TRANSACTION_STATUSES.map((value) => ({ value, label: PAYMENT_STATUSES[value].words }))

export function Filters({ filters }: { filters: FilterValues }) {
  const { href } = useProject()
  const [shown, { toggle }] = useDisclosure(hasMore(filters))
  const { data } = useRead<List<'gateway_configurations', GatewayConfiguration>>('/gateway-configurations', {
    query: { limit: '100' },
  })
  const gateways = data?.gateway_configurations ?? []
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
          aria-label="Search payments"
          placeholder="Order, id, last 4 digits or email"
          leftSection={<MagnifyingGlassIcon />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <Button type="submit" variant="default">
          Search
        </Button>
        <Button
          variant="default"
          leftSection={<MixerHorizontalIcon />}
          aria-expanded={shown}
          aria-controls="more-filters"
          onClick={toggle}
        >
          Filters
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
  gateways: readonly GatewayConfiguration[]
}

function MoreFilters({ filters, change, gateways }: PartProps) {
  const typed = (name: 'currency' | 'amount_from' | 'amount_to' | 'error_code', more: Partial<TypedFilterProps>) => (
    <TypedFilter value={filters[name] ?? ''} onChange={(value) => change({ [name]: value })} {...more} />
  )
  const needsCurrency = filters.currency ? {} : { disabled: true, description: 'Choose a currency first' }
  return (
    <div id="more-filters" className="filters-more">
      <MultiSelect
        label="Status"
        {...(filters.status ? {} : { placeholder: 'Any' })}
        data={STATUSES}
        value={filters.status?.split(',') ?? []}
        onChange={(values) => change({ status: values.join(',') })}
        searchable
        clearable
      />
      <DayFilter
        label="From day"
        value={filters.created_from ?? ''}
        onChange={(created_from) => change({ created_from })}
      />
      <DayFilter label="To day" value={filters.created_to ?? ''} onChange={(created_to) => change({ created_to })} />
      <NativeSelect
        label="Gateway"
        value={filters.gateway_configuration_id ?? ''}
        onChange={(event) => change({ gateway_configuration_id: event.currentTarget.value })}
        data={[{ value: '', label: 'Any' }, ...gateways.map(({ id, name }) => ({ value: id, label: name }))]}
      />
      {typed('currency', {
        label: 'Currency',
        maxLength: 3,
        placeholder: 'Any',
        onChange: (value) => change({ currency: value.toUpperCase() }),
      })}
      {typed('amount_from', { label: 'Amount from', inputMode: 'decimal', ...needsCurrency })}
      {typed('amount_to', { label: 'Amount to', inputMode: 'decimal', ...needsCurrency })}
      {typed('error_code', { label: 'Error code', placeholder: 'card.do-not-honor' })}
      <Checkbox
        label="Needs attention"
        className="filters-check"
        checked={filters.needs_attention === 'true'}
        onChange={(event) => change({ needs_attention: event.currentTarget.checked ? 'true' : undefined })}
      />
    </div>
  )
}

/** What is filtered by, each to be taken away. */
function Chosen({ filters, change, gateways }: PartProps) {
  const { href } = useProject()
  const words: Partial<Record<keyof FilterValues, string>> = {
    ...(filters.search && { search: `“${filters.search}”` }),
    ...(filters.status && { status: filters.status.split(',').map(statusWords).join(' or ') }),
    ...(filters.currency && { currency: filters.currency }),
    ...(filters.amount_from && { amount_from: `from ${filters.amount_from}` }),
    ...(filters.amount_to && { amount_to: `up to ${filters.amount_to}` }),
    ...(filters.created_from && { created_from: `since ${filters.created_from}` }),
    ...(filters.created_to && { created_to: `until ${filters.created_to}` }),
    ...(filters.gateway_configuration_id && {
      gateway_configuration_id:
        gateways.find(({ id }) => id === filters.gateway_configuration_id)?.name ?? filters.gateway_configuration_id,
    }),
    ...(filters.error_code && { error_code: filters.error_code }),
    ...(filters.needs_attention && { needs_attention: 'needs attention' }),
  }
  const chosen = Object.entries(words)
  if (chosen.length === 0) return null
  return (
    <Group gap="xs" className="filters-chosen">
      {chosen.map(([name, label]) => (
        <Pill
          key={name}
          withRemoveButton
          removeButtonProps={{ 'aria-label': `Remove the filter: ${label}`, tabIndex: 0, 'aria-hidden': false }}
          onRemove={() => change({ [name]: undefined })}
        >
          {label}
        </Pill>
      ))}
      <a href={href(['payments'])}>Clear all</a>
    </Group>
  )
}

function statusWords(status: string): string {
  return STATUSES.find(({ value }) => value === status)?.label ?? status
}

function hasMore({ search, ...others }: FilterValues): boolean {
  return Object.keys(others).length > 0
}
