import { Alert, Code, Text } from '@mantine/core'
import type { Gateway, GatewayAccount } from '../../../../../src/dashboard/contract.ts'
import { ToneBadge } from '../../parts/badges.tsx'
import { Section } from '../../parts/page.tsx'
import { Copy, Id, Instant } from '../../parts/values.tsx'
import { t } from '../../words/words.ts'
import { wordsIn } from './account.ts'

/** The address that the gateway is to be told, and what to switch on there. */
export function NotificationsSection({
  address,
  setUp,
  isProven,
  proof,
  refused,
}: {
  address: string
  setUp: NonNullable<Gateway['notifications']>
  /** Whether the credential is there that proves notifications. */
  isProven: boolean
  /** What that credential is called. */
  proof: string
  /** What was refused since the last one that was proven. */
  refused: GatewayAccount['refused_notifications']
}) {
  const { steps, events, otherwise } = setUp
  return (
    <Section
      title={t('gateways.notifications.title')}
      about={t('gateways.notifications.about')}
      actions={
        <ToneBadge tone={!isProven ? 'waiting' : refused ? 'bad' : 'good'}>
          {t(`gateways.notifications.${!isProven ? 'missing' : refused ? 'failing' : 'ready'}`)}
        </ToneBadge>
      }
    >
      <div className="stack">
        {!isProven && <Alert color="yellow">{wordsIn(otherwise)}</Alert>}
        {isProven && refused && (
          <Alert color="red" title={t('gateways.notifications.refused', { times: refused.times })}>
            {t.rich('gateways.notifications.refusedAbout', {
              why: () => t(`gateways.notifications.because.${refused.reason}`, { proof }),
              last: () => <Instant at={refused.last_at} />,
            })}
          </Alert>
        )}
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
