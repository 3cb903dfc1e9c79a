import { Alert, Code, Text } from '@mantine/core'
import type { Gateway } from '../../../../../src/dashboard/contract.ts'
import { ToneBadge } from '../../parts/badges.tsx'
import { Section } from '../../parts/page.tsx'
import { Copy, Id } from '../../parts/values.tsx'
import { t } from '../../words/words.ts'
import { wordsIn } from './account.ts'

/** The address that the gateway is to be told, and what to switch on there. */
export function NotificationsSection({
  address,
  setUp,
  isProven,
}: {
  address: string
  setUp: NonNullable<Gateway['notifications']>
  /** Whether the credential is there that proves notifications. */
  isProven: boolean
}) {
  const { steps, events, otherwise } = setUp
  return (
    <Section
      title={t('gateways.notifications.title')}
      about={t('gateways.notifications.about')}
      actions={
        <ToneBadge tone={isProven ? 'good' : 'waiting'}>
          {t(`gateways.notifications.${isProven ? 'ready' : 'missing'}`)}
        </ToneBadge>
      }
    >
      <div className="stack">
        {!isProven && <Alert color="yellow">{wordsIn(otherwise)}</Alert>}
        <div>
          <Text size="sm" fw={600}>
            {t('gateways.notifications.address')}
          </Text>
          <Id id={address} label={t('gateways.notifications.addressOf')} />
          {!address.startsWith('https:') && (
            <Text size="sm" className="caution">
              {t('gateways.notifications.local')}
            </Text>
          )}
        </div>
        <div>
          <Text size="sm" fw={600}>
            {t('gateways.notifications.steps')}
          </Text>
          <ol className="steps">
            {steps.map((step) => (
              <li key={step.en}>{wordsIn(step)}</li>
            ))}
          </ol>
        </div>
        {events.length > 0 && (
          <details>
            <summary>{t('gateways.notifications.events', { count: events.length })}</summary>
            <div className="copied-block">
              <Code block>{events.join('\n')}</Code>
              <Copy text={events.join('\n')} label={t('common.copy', { what: t('gateways.notifications.eventsOf') })} />
            </div>
          </details>
        )}
      </div>
    </Section>
  )
}
