import { Alert, Button, NativeSelect, Switch, Text, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import type { GatewayConfiguration, RoutingExplanation } from '../../../../node/src/generated/schemas.ts'
import { Problem, Section } from '../../parts/page.tsx'
import { ErrorCode } from '../../parts/values.tsx'
import { useAct } from '../../service/act.ts'
import { useProject } from '../../service/session.tsx'
import { typed, untyped } from '../../words/format.ts'
import { cardTypeWords, codeWords, schemeWords } from '../../words/status.ts'
import { marks, t } from '../../words/words.ts'
import { VALUES } from './rules-text.ts'
import { ShowRule } from './show-rule.tsx'

interface Wanted {
  amount: string
  currency: string
  cardCountry: string
  customerCountry: string
  scheme: string
  type: string
  isOfMerchant: boolean
}

/** What happens to a payment that is only described, by the text as it stands. */
export function TryPayment({
  text,
  isSaved,
  gateways,
  onShow,
}: {
  /** Empty: by the rules that are active. */
  text: string
  /** Whether this text is the active one. */
  isSaved: boolean
  gateways: readonly GatewayConfiguration[]
  /** Shows the rule with this place in the text. */
  onShow(position: number): void
}) {
  const { project } = useProject()
  const [wanted, setWanted] = useState<Wanted>({
    amount: typed('1000.01'),
    currency: project.default_currency,
    cardCountry: '',
    customerCountry: '',
    scheme: '',
    type: '',
    isOfMerchant: false,
  })
  const [tried, setTried] = useState<{ text: string; explanation: RoutingExplanation } | null>(null)
  const explain = useAct<{ explanation: RoutingExplanation }>()
  async function run(event: FormEvent) {
    event.preventDefault()
    const answer = await explain.run('POST', '/routing-rules/explain', bodyOf(wanted, text))
    setTried(answer === undefined ? null : { text, explanation: answer.explanation })
  }
  const bound = (name: keyof Omit<Wanted, 'isOfMerchant'>) => ({
    value: wanted[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      setWanted({ ...wanted, [name]: event.currentTarget.value }),
  })
  const any = { value: '', label: t('routing.try.any') }
  const schemes = (VALUES.card_scheme ?? []).map((scheme) => scheme.replaceAll('"', ''))
  return (
    <Section title={t('routing.try.title')} about={t(text === '' ? 'routing.try.aboutNow' : 'routing.try.about')}>
      <form onSubmit={run} className="stack">
        <div className="try-fields">
          <TextInput label={t('routing.try.amount')} inputMode="decimal" required {...bound('amount')} />
          <TextInput label={t('routing.try.currency')} maxLength={3} required {...bound('currency')} />
          <TextInput label={t('routing.try.cardCountry')} maxLength={2} placeholder="DE" {...bound('cardCountry')} />
          <TextInput
            label={t('routing.try.customerCountry')}
            maxLength={2}
            placeholder="DE"
            {...bound('customerCountry')}
          />
          <NativeSelect
            label={t('routing.try.scheme')}
            data={[any, ...schemes.map((value) => ({ value, label: schemeWords(value) }))]}
            {...bound('scheme')}
          />
          <NativeSelect
            label={t('routing.try.type')}
            data={[any, ...['credit', 'debit'].map((value) => ({ value, label: cardTypeWords(value) }))]}
            {...bound('type')}
          />
        </div>
        <Switch
          label={t('routing.try.merchant')}
          checked={wanted.isOfMerchant}
          onChange={(event) => setWanted({ ...wanted, isOfMerchant: event.currentTarget.checked })}
        />
        <Button type="submit" loading={explain.busy}>
          {t('routing.try.action')}
        </Button>
      </form>
      {explain.error && <Problem error={explain.error} />}
      {tried && (
        <div role="status" className="stack try-result">
          {tried.text !== text && (
            <Text size="sm" className="caution">
              {t('routing.try.old')}
            </Text>
          )}
          {!isSaved && text.trim() !== '' && (
            <Text size="sm" className="caution">
              {t('routing.try.unsaved')}
            </Text>
          )}
          <Decision explanation={tried.explanation} gateways={gateways} />
          <Rules explanation={tried.explanation} onShow={tried.text === text && text !== '' ? onShow : null} />
        </div>
      )}
    </Section>
  )
}

function bodyOf(wanted: Wanted, text: string): object {
  const { amount, currency, cardCountry, customerCountry, scheme, type, isOfMerchant } = wanted
  return {
    payment: {
      amount: untyped(amount) || amount.trim(),
      currency: currency.trim(),
      ...(customerCountry.trim() !== '' && { customer_country: customerCountry.trim() }),
      ...(isOfMerchant && { merchant_initiator_type: 'unscheduled' }),
    },
    card: {
      ...(cardCountry.trim() !== '' && { country_code: cardCountry.trim() }),
      ...(scheme !== '' && { scheme }),
      ...(type !== '' && { type }),
    },
    ...(text.trim() !== '' && { rules: text }),
  }
}

/** Of a name such as `rule-2-route`. */
const positionOf = (name: string) => name.split('-')[1] ?? name

function Decision({
  explanation: { outcome, error_type, blocked_by, three_d_s_triggered_by: threeDs, route, gateways: usable, rules },
  gateways,
}: {
  explanation: RoutingExplanation
  gateways: readonly GatewayConfiguration[]
}) {
  const nameOf = (id: string) => gateways.find((gateway) => gateway.id === id)?.name ?? id
  const [first, ...others] = usable.map((one) => nameOf(one.gateway_configuration_id))
  const title: ReactNode =
    blocked_by !== null
      ? t('routing.try.refusedBy', { position: positionOf(blocked_by) })
      : outcome === 'not-sent' || first === undefined
        ? t('routing.try.nowhere')
        : route === null
          ? t.rich('routing.try.goes', { ...marks, gateway: first })
          : t.rich('routing.try.goesBy', { ...marks, gateway: first, position: positionOf(route.rule) })
  const isSent = outcome === 'routed'
  const fallsBack = route?.fallback.enabled === true && others.length > 0
  return (
    <Alert color={isSent ? 'green' : 'red'} title={title}>
      {isSent && route === null && <p>{t(rules.length === 0 ? 'routing.noRules' : 'routing.try.byDefault')}</p>}
      {fallsBack && <p>{t.rich('routing.try.fallsBack', { ...marks, gateways: others[0] ?? '' })}</p>}
      {threeDs !== null && <p>{t('routing.try.threeDs', { position: positionOf(threeDs) })}</p>}
      {error_type !== null && (
        <p>
          {codeWords(error_type)} <ErrorCode code={error_type} />
        </p>
      )}
    </Alert>
  )
}

type ExplainedRule = RoutingExplanation['rules'][number]

function Rules({
  explanation: { rules },
  onShow,
}: {
  explanation: RoutingExplanation
  onShow: ((position: number) => void) | null
}) {
  if (rules.length === 0) return null
  return (
    <div>
      <Text size="sm" fw={600}>
        {t('routing.try.each')}
      </Text>
      <ol className="plain try-rules">
        {rules.map((rule) => (
          <li key={rule.id} data-applied={rule.standing === 'applied' || undefined}>
            <span>
              {t.rich('routing.try.standingOf', {
                ...marks,
                position: String(rule.position),
                kind: rule.kind,
                standing: t(`routing.try.standing.${rule.standing}`),
              })}
            </span>
            <ShowRule position={rule.position} onShow={onShow} />
            {rule.standing === 'not-matched' && <Why rule={rule} />}
          </li>
        ))}
      </ol>
    </div>
  )
}

/** The first comparison that does not hold, which is mostly the reason. */
function Why({ rule: { condition } }: { rule: ExplainedRule }) {
  const unmet = unmetIn(condition as Explained | null)
  if (unmet === null) return null
  const { operand, actual, operator, expected, currencies } = unmet
  return (
    <small>
      {t('routing.try.because', {
        operand,
        actual: actual === null ? t('routing.try.missing') : String(actual),
        operator,
        expected: [Array.isArray(expected) ? expected.join(', ') : String(expected), ...(currencies ?? [])].join(' '),
      })}
    </small>
  )
}

interface Compared {
  kind: 'comparison'
  operand: string
  actual: unknown
  operator: string
  expected: unknown
  currencies?: readonly string[]
  result: boolean | null
}

type Explained =
  | Compared
  | { kind: 'and' | 'or'; conditions: Explained[]; result: boolean | null }
  | { kind: 'not'; condition: Explained; result: boolean | null }

function unmetIn(condition: Explained | null): Compared | null {
  if (condition === null || condition.result === true) return null
  if (condition.kind === 'comparison') return condition
  if (condition.kind === 'not') return null
  return condition.conditions.map(unmetIn).find((found) => found !== null) ?? null
}
