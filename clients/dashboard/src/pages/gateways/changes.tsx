import type { Gateway, GatewayChange } from '../../../../../src/dashboard/contract.ts'
import { Empty, Section } from '../../parts/page.tsx'
import { Instant } from '../../parts/values.tsx'
import { locale } from '../../words/language.ts'
import { marks, t, wordsOf } from '../../words/words.ts'
import { wordsIn } from './account.ts'

/** Who has changed what of an account, and when; no value is kept. */
export function ChangesSection({
  changes,
  gateway,
}: {
  changes: readonly GatewayChange[]
  gateway: Gateway | undefined
}) {
  return (
    <Section title={t('gateways.changes.title')} about={t('gateways.changes.about')}>
      {changes.length === 0 ? (
        <Empty title={t('gateways.changes.none')} />
      ) : (
        <ul className="plain changes">
          {changes.map((change) => (
            <li key={`${change.at} ${change.what}`}>
              <span>
                <Sentence change={change} gateway={gateway} />
              </span>
              <Instant at={change.at} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

const KINDS = ['created', 'changed', 'tested', 'drained', 'resumed', 'deleted'] as const

const LIST = new Intl.ListFormat(locale, { type: 'conjunction' })

function Sentence({ change, gateway }: { change: GatewayChange; gateway: Gateway | undefined }) {
  const kind = KINDS.find((one) => one === change.what)
  if (kind === undefined) return change.what
  const { bdi } = marks
  return t.rich(`gateways.changes.${kind}`, {
    bdi,
    who: whoOf(change),
    fields: LIST.format(change.fields.map((name) => fieldWords(name, gateway))),
    result: wordsOf('gateways.test.result', `${change.result}.title`) ?? '',
  })
}

function whoOf({ by: { kind, name } }: GatewayChange): string {
  if (kind === 'person') return name ?? t('gateways.changes.someone')
  return kind === 'api_key' ? t('gateways.changes.key') : t('gateways.changes.system')
}

function fieldWords(name: string, gateway: Gateway | undefined): string {
  const [group, ...rest] = name.split('.')
  const fields = group === 'credentials' || group === 'settings' ? gateway?.[group] : undefined
  const field = fields?.find((one) => one.name === rest.join('.'))
  return field === undefined ? (wordsOf('gateways.changes.field', name) ?? name) : wordsIn(field.label)
}
