import { Button, Checkbox, MultiSelect, NativeSelect, Select, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { MixerHorizontalIcon } from '@radix-ui/react-icons'
import type { GatewayConfiguration } from '../../../../node/src/generated/schemas.ts'
import { FilterPills } from '../../parts/filter-pills.tsx'
import { Empty } from '../../parts/page.tsx'
import { SearchForm } from '../../parts/search-form.tsx'
import { DayFilter, TypedFilter } from '../../parts/typed-filter.tsx'
import { type List, useRead } from '../../service/read.ts'
import { go } from '../../service/route.ts'
import { useProject } from '../../service/session.tsx'
import { money, readAmount, typed } from '../../words/format.ts'
import { isolated, t } from '../../words/words.ts'
import {
  type Changed,
  type Choice,
  changedFilters,
  type FilterField,
  type Filters as FilterValues,
  filterFields,
  periods,
} from './filter-fields.ts'

export function Filters({ filters }: { filters: FilterValues }) {
  const { href, project } = useProject()
  const [shown, { toggle }] = useDisclosure(hasMore(filters))
  const gateways = useGateways()

  const change = (changed: Changed) =>
    go(href(['payments'], changedFilters(filters, changed, project.default_currency)))

  return (
    <search className="filters">
      <SearchForm
        label={t('payments.search.label')}
        placeholder={t('payments.search.placeholder')}
        value={filters.search ?? ''}
        onSearch={(search) => change({ search })}
      >
        <Button
          variant="default"
          leftSection={<MixerHorizontalIcon />}
          aria-expanded={shown}
          aria-controls="more-filters"
          onClick={toggle}
        >
          {t('payments.search.filters')}
        </Button>
      </SearchForm>
      {shown && <MoreFilters filters={filters} change={change} gateways={gateways} />}
      <Chosen filters={filters} change={change} gateways={gateways} />
    </search>
  )
}

function useGateways(): Choice[] {
  const { data } = useRead<List<'gateway_configurations', GatewayConfiguration>>('/gateway-configurations', {
    query: { limit: '100' },
  })
  return (data?.gateway_configurations ?? []).map(({ id, name }) => ({ value: id, label: name }))
}

/** In place of a list in which nothing meets the filters. */
export function NoneFound({ filters }: { filters: FilterValues }) {
  const gateways = useGateways()
  const chosen = chosenIn(filters, gateways)
  const isFiltered = chosen.some(({ name }) => name !== 'search')
  if (chosen.every(({ name }) => name === 'needs_attention')) return <Empty title={t('payments.noneNeedsAttention')} />
  return (
    <Empty title={t('payments.noneFound', { filters: chosen.map(({ label }) => label).join(' · ') })}>
      {filters.search && <SearchAdvice search={filters.search} />}{' '}
      {t(isFiltered ? 'payments.noneFoundAdvice' : 'payments.noneFoundElsewhere')}
    </Empty>
  )
}

/** The longest that the interface takes. */
const AMOUNT_MAX = '99999999999'

/** What the search finds; an amount is a matter of the filters. */
function SearchAdvice({ search }: { search: string }) {
  const { project, href } = useProject()
  const currency = project.default_currency
  const { amount } = readAmount(search, currency, AMOUNT_MAX)
  if (amount === undefined) return t('payments.noneFoundSearch')
  return t.rich('payments.noneFoundAmount', {
    amount: money(amount, currency),
    filter: (inside) => <a href={href(['payments'], { currency, amount_from: amount, amount_to: amount })}>{inside}</a>,
  })
}

/** What the filter of that name has, and what it leaves to others. */
export function AttentionMeaning() {
  const { href } = useProject()
  return (
    <Text size="sm" c="dimmed">
      {t('overview.attentionAbout')}{' '}
      {t.rich('payments.attentionOthers', {
        pending: (inside) => <a href={href(['payments'], { status: 'pending,pending-capture' })}>{inside}</a>,
        disputes: (inside) => <a href={href(['disputes'])}>{inside}</a>,
      })}
    </Text>
  )
}

interface PartProps {
  filters: FilterValues
  change(changed: Changed): void
  gateways: readonly Choice[]
}

const CHECKS = filterFields.filter(([, { kind }]) => kind === 'mark')
const FIELDS = filterFields.filter((one) => !CHECKS.includes(one))

function MoreFilters({ filters, change, gateways }: PartProps) {
  const { project } = useProject()
  const fieldOf = ([name, field]: (typeof filterFields)[number]) => (
    <Field
      key={name}
      field={field}
      value={filters[name] ?? ''}
      onChange={(value) => change({ [name]: value })}
      gateways={gateways}
      currency={filters.currency ?? project.default_currency}
    />
  )
  return (
    <div id="more-filters" className="filters-more">
      <Period filters={filters} change={change} />
      {FIELDS.map(fieldOf)}
      <div className="filters-checks">{CHECKS.map(fieldOf)}</div>
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
  /** Of amounts. */
  currency: string
}

function Field({ field, value, onChange, gateways, currency }: FieldProps) {
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
          {...(value !== 'true' && { description: field.says })}
          checked={value === 'true'}
          onChange={(event) => onChange(event.currentTarget.checked ? 'true' : '')}
        />
      )
    case 'one':
      return (
        <Select
          label={label}
          placeholder={t('payments.search.any')}
          data={field.choices.some((choice) => choice.value === value) || !value ? field.choices : [value]}
          value={value || null}
          onChange={(chosen) => onChange(chosen ?? '')}
          searchable
          clearable
        />
      )
    case 'currency':
      return (
        <TypedFilter
          label={label}
          placeholder={t('payments.search.any')}
          maxLength={3}
          value={value}
          onChange={(text) => onChange(text.toUpperCase())}
        />
      )
    case 'amount':
      return (
        <TypedFilter
          label={label}
          placeholder={t('payments.filter.amountIn', { currency })}
          inputMode="decimal"
          value={typed(value)}
          problemOf={(text) => readAmount(text, currency, AMOUNT_MAX).problem}
          onChange={(text) => onChange(readAmount(text, currency, AMOUNT_MAX).amount ?? '')}
        />
      )
  }
}

/** What is filtered by, in words. */
function chosenIn(filters: FilterValues, gateways: readonly Choice[]): { name: keyof FilterValues; label: string }[] {
  const search = filters.search ? [{ name: 'search', label: searchWords(filters.search) } as const] : []
  const others = filterFields.flatMap(([name, field]) => {
    const value = filters[name]
    return value ? [{ name, label: wordsFor(field, value, gateways) }] : []
  })
  return [...search, ...others]
}

const searchWords = (search: string) => t('payments.search.text', { text: isolated(search) })

/** What is filtered by, each to be taken away. */
function Chosen({ filters, change, gateways }: PartProps) {
  const { href } = useProject()
  const chosen = chosenIn(filters, gateways)
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
  if (field.kind === 'one') return nameOf(field.choices, value)
  return field.kind === 'gateway' ? nameOf(gateways, value) : (field.words?.(value) ?? value)
}

function hasMore({ search, order, ...others }: FilterValues): boolean {
  return Object.keys(others).length > 0
}
