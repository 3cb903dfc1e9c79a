import { Text } from '@mantine/core'
import { ArrowRightIcon } from '@radix-ui/react-icons'
import type { DryRun } from '../../../../../src/dashboard/contract.ts'
import type { GatewayConfiguration } from '../../../../node/src/generated/schemas.ts'
import { Empty, Section } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { Instant, Money } from '../../parts/values.tsx'
import { useProject } from '../../service/session.tsx'
import { count, plural } from '../../words/format.ts'
import { schemeWords } from '../../words/status.ts'

type Change = DryRun['changes'][number]

/** What the rules of the text would have made of the latest payments. */
export function DryRunResult({
  result,
  isOld,
  gateways,
}: {
  result: DryRun
  /** Whether the text was changed since. */
  isOld: boolean
  gateways: readonly GatewayConfiguration[]
}) {
  const nameOf = (id: string | null) =>
    id === null ? 'No gateway' : (gateways.find((gateway) => gateway.id === id)?.name ?? id)
  return (
    <Section
      title="On past payments"
      about={
        result.payments === 0
          ? 'There are no payments to try it on yet.'
          : `${plural(result.changed, 'payment')} of ${count(result.payments)} would be routed differently. Nothing was changed.`
      }
      flush
    >
      {isOld && (
        <Text size="sm" className="money-note inset">
          The text was changed since; try it again.
        </Text>
      )}
      {result.is_partial && (
        <Text size="sm" className="money-note inset">
          {partOf(result)} Rules that count velocities take longest.
        </Text>
      )}
      {result.payments > 0 && <ByGateway result={result} nameOf={nameOf} />}
      {result.payments > 0 && result.changes.length === 0 && (
        <Empty title={`Every payment ${result.is_partial ? 'that was tried ' : ''}is decided as now`} />
      )}
      {result.changes.length > 0 && <Changes changes={result.changes} nameOf={nameOf} />}
    </Section>
  )
}

/** Why a result has fewer payments than there are. */
export function partOf({ payments }: DryRun): string {
  return `The time was up after ${plural(payments, 'payment')}, the newest; older ones were not tried.`
}

type NameOf = (id: string | null) => string

function ByGateway({ result, nameOf }: { result: DryRun; nameOf: NameOf }) {
  return (
    <Table
      label="Payments by gateway"
      items={result.gateways}
      keyOf={({ gateway_configuration_id }) => gateway_configuration_id ?? 'none'}
      columns={[
        {
          title: 'Goes first to',
          narrow: 'first',
          cell: ({ gateway_configuration_id }) => nameOf(gateway_configuration_id),
        },
        { title: 'Now', align: 'right', narrow: 'named', cell: ({ before }) => count(before) },
        { title: 'With this text', align: 'right', narrow: 'named', cell: ({ after }) => count(after) },
      ]}
    />
  )
}

function Changes({ changes, nameOf }: { changes: readonly Change[]; nameOf: NameOf }) {
  const { href } = useProject()
  return (
    <Table<Change>
      label="Payments that would be routed differently"
      items={changes}
      keyOf={({ invoice_id }) => invoice_id}
      columns={[
        {
          title: 'Payment',
          align: 'right',
          narrow: 'first',
          cell: ({ invoice_id, amount, currency }) => (
            <a href={href(['payments', invoice_id])}>
              <Money amount={amount} currency={currency} />
            </a>
          ),
        },
        { title: 'Card', narrow: 'beside', cell: ({ card_scheme }) => card_scheme && schemeWords(card_scheme) },
        {
          title: 'Would go',
          narrow: 'below',
          cell: ({ before, after }) => (
            <span className="change-of-way">
              <Way routed={before} nameOf={nameOf} /> <ArrowRightIcon aria-label="then" />{' '}
              <Way routed={after} nameOf={nameOf} />
            </span>
          ),
        },
        { title: 'Created', narrow: 'below', cell: ({ created_at }) => <Instant at={created_at} /> },
      ]}
    />
  )
}

function Way({ routed, nameOf }: { routed: Change['before']; nameOf: NameOf }) {
  const { outcome, gateway_configuration_ids, rule, error_type } = routed
  const words = outcome === 'routed' ? gateway_configuration_ids.map(nameOf).join(', then ') : 'not sent'
  return (
    <span className="two-lines">
      <span>{words}</span>
      {(rule ?? error_type) && <small>{[rule, error_type].filter(Boolean).join(', ')}</small>}
    </span>
  )
}
