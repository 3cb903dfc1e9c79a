import { Alert, Text } from '@mantine/core'
import { ArrowRightIcon, ExclamationTriangleIcon } from '@radix-ui/react-icons'
import type { DryRun } from '../../../../../src/dashboard/contract.ts'
import type { GatewayConfiguration } from '../../../../node/src/generated/schemas.ts'
import { Empty, Section } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { Facts, Instant } from '../../parts/values.tsx'
import { useProject } from '../../service/session.tsx'
import { count } from '../../words/format.ts'
import { schemeWords } from '../../words/status.ts'
import { marks, t } from '../../words/words.ts'
import { PaymentLink, Two } from '../payments/payment-cells.tsx'
import { ShowRule } from './show-rule.tsx'

type Change = DryRun['changes'][number]
type Rule = DryRun['rules'][number]

/** What the rules of the text would have made of the latest payments. */
export function DryRunResult({
  result,
  isOld,
  gateways,
  onShow,
}: {
  result: DryRun
  /** Whether the text was changed since. */
  isOld: boolean
  gateways: readonly GatewayConfiguration[]
  /** Shows the rule with this place in the text. */
  onShow(position: number): void
}) {
  const nameOf = (id: string | null) =>
    id === null ? t('routing.past.noGateway') : (gateways.find((gateway) => gateway.id === id)?.name ?? id)
  const { payments, changed, effects, is_partial, rules, changes } = result
  return (
    <Section
      title={t('routing.past.title')}
      about={
        payments === 0 ? t('routing.past.none') : t('routing.past.changed', { changed, payments: count(payments) })
      }
      flush
    >
      {isOld && (
        <Text size="sm" className="caution inset">
          {t('routing.past.old')}
        </Text>
      )}
      {is_partial && (
        <Text size="sm" className="caution inset">
          {t('routing.past.partial', { payments })}
        </Text>
      )}
      <div className="inset stack">
        <Warnings result={result} onShow={isOld ? undefined : onShow} />
        {changed > 0 && (
          <Facts
            facts={[
              [t('routing.past.refused'), count(effects.refused)],
              [t('routing.past.noLonger'), count(effects.no_longer_refused)],
              [t('routing.past.moved'), count(effects.moved)],
              [t('routing.past.newlyThreeDs'), count(effects.newly_three_ds)],
              [t('routing.past.noLongerThreeDs'), count(effects.no_longer_three_ds)],
            ]}
          />
        )}
      </div>
      {payments > 0 && rules.length > 0 && <ByRule rules={rules} />}
      {payments > 0 && <ByGateway result={result} nameOf={nameOf} />}
      {payments > 0 && changes.length === 0 && (
        <Empty title={t(is_partial ? 'routing.past.sameTried' : 'routing.past.same')} />
      )}
      {changes.length > 0 && <Changes changes={changes} nameOf={nameOf} />}
    </Section>
  )
}

/** What may not be meant: an amount of no currency, and a rule that no payment meets. */
export function Warnings({ result, onShow }: { result: DryRun; onShow?: ((position: number) => void) | undefined }) {
  const { project } = useProject()
  const found = result.rules.flatMap((rule) => warningsOf(rule, result.payments, project.default_currency))
  if (found.length === 0) return null
  return (
    <Alert color="yellow" icon={<ExclamationTriangleIcon />}>
      <ul className="plain warnings">
        {found.map(({ rule, words }) => (
          <li key={`${rule.position} ${words}`}>
            {t.rich('routing.past.warning', { ...marks, rule: rule.name, words })}{' '}
            <ShowRule position={rule.position} onShow={onShow} />
          </li>
        ))}
      </ul>
    </Alert>
  )
}

function warningsOf(rule: Rule, payments: number, currency: string): { rule: Rule; words: string }[] {
  if (!rule.enabled) return []
  return [
    ...(rule.has_bare_amount ? [t('routing.past.bare', { currency })] : []),
    ...(payments > 0 && rule.met === 0 ? [t('routing.past.unmet', { payments })] : []),
  ].map((words) => ({ rule, words }))
}

function ByRule({ rules }: { rules: readonly Rule[] }) {
  return (
    <Table
      label={t('routing.past.byRule')}
      items={rules}
      keyOf={({ name }) => name}
      columns={[
        {
          title: t('routing.past.rule'),
          narrow: 'first',
          cell: ({ name, enabled }) => (
            <span className="two-lines">
              <code>{name}</code>
              {!enabled && <small>{t('routing.past.ruleOff')}</small>}
            </span>
          ),
        },
        { title: t('routing.past.met'), align: 'right', narrow: 'named', cell: ({ met }) => count(met) },
        { title: t('routing.past.applied'), align: 'right', narrow: 'named', cell: ({ applied }) => count(applied) },
      ]}
    />
  )
}

type NameOf = (id: string | null) => string

function ByGateway({ result, nameOf }: { result: DryRun; nameOf: NameOf }) {
  return (
    <Table
      label={t('routing.past.byGateway')}
      items={result.gateways}
      keyOf={({ gateway_configuration_id }) => gateway_configuration_id ?? 'none'}
      columns={[
        {
          title: t('routing.past.first'),
          narrow: 'first',
          cell: ({ gateway_configuration_id }) => <bdi>{nameOf(gateway_configuration_id)}</bdi>,
        },
        { title: t('routing.past.now'), align: 'right', narrow: 'named', cell: ({ before }) => count(before) },
        { title: t('routing.past.after'), align: 'right', narrow: 'named', cell: ({ after }) => count(after) },
      ]}
    />
  )
}

function Changes({ changes, nameOf }: { changes: readonly Change[]; nameOf: NameOf }) {
  return (
    <Table<Change>
      label={t('routing.past.list')}
      items={changes}
      keyOf={({ invoice_id }) => invoice_id}
      columns={[
        {
          title: t('payments.column.amount'),
          align: 'right',
          narrow: 'first',
          cell: ({ invoice_id, amount, currency }) => (
            <PaymentLink id={invoice_id} amount={amount} currency={currency} />
          ),
        },
        {
          title: t('payments.column.payment'),
          narrow: 'below',
          cell: ({ name, order_id }) => <Two first={name} second={order_id} />,
        },
        {
          title: t('payments.column.customer'),
          narrow: 'below',
          cell: ({ customer_name }) => <Two first={customer_name} second={null} />,
        },
        {
          title: t('common.card.unknown'),
          narrow: 'beside',
          cell: ({ card_scheme }) => card_scheme && schemeWords(card_scheme),
        },
        {
          title: t('routing.past.would'),
          narrow: 'below',
          cell: ({ before, after }) => (
            <span className="change-of-way">
              {/* Where only 3-D Secure changes, the gateways are said once. */}
              {goesElsewhere(before, after) && (
                <>
                  <Way routed={before} nameOf={nameOf} /> <ArrowRightIcon
                    aria-label={t('routing.past.afterwards')}
                  />{' '}
                </>
              )}
              <Way routed={after} nameOf={nameOf} hadThreeDs={before.three_ds_rule !== null} />
            </span>
          ),
        },
        { title: t('common.created'), narrow: 'below', cell: ({ created_at }) => <Instant at={created_at} /> },
      ]}
    />
  )
}

const goesElsewhere = (before: Change['before'], after: Change['after']) =>
  before.outcome !== after.outcome ||
  String(before.gateway_configuration_ids) !== String(after.gateway_configuration_ids)

function Way({
  routed,
  nameOf,
  hadThreeDs = false,
}: {
  routed: Change['before']
  nameOf: NameOf
  /** Whether the rules that decide now ask for 3-D Secure. */
  hadThreeDs?: boolean
}) {
  const { outcome, gateway_configuration_ids, rule, error_type, three_ds_rule } = routed
  const why = rule ?? error_type
  const words = outcome === 'routed' ? gateway_configuration_ids.map(nameOf).join(', ') : t('routing.past.notSent')
  return (
    <span className="two-lines">
      <bdi>{words}</bdi>
      {why && <small>{why}</small>}
      {three_ds_rule && <small>{t('routing.past.withThreeDs', { rule: three_ds_rule })}</small>}
      {outcome === 'routed' && three_ds_rule === null && hadThreeDs && (
        <small>{t('routing.past.withoutThreeDs')}</small>
      )}
    </span>
  )
}
