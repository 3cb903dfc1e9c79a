import { Alert, Button, Text } from '@mantine/core'
import { CheckIcon, Cross2Icon } from '@radix-ui/react-icons'
import { useState } from 'react'
import type { AccountField, Gateway, GatewayAccount } from '../../../../../src/dashboard/contract.ts'
import type { GatewayConfiguration } from '../../../../node/src/generated/schemas.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Empty, Loading, Page, Problem, Section } from '../../parts/page.tsx'
import { say } from '../../parts/said.ts'
import { Facts, Id, Instant, Nothing } from '../../parts/values.tsx'
import { useAct } from '../../service/act.ts'
import { useRead } from '../../service/read.ts'
import { useProject } from '../../service/session.tsx'
import { schemeWords } from '../../words/status.ts'
import { isolated, marks, t } from '../../words/words.ts'
import { abilitiesOf } from './abilities.ts'
import { useInstalledGateways, wordsIn } from './account.ts'
import { ChangesSection } from './changes.tsx'
import { ConnectionSection } from './connection.tsx'
import { EditGateway } from './edit-gateway.tsx'
import { CircuitState, GatewayStatus } from './gateway-state.tsx'
import { NotificationsSection } from './notifications.tsx'

export function GatewayPage({ id }: { id: string }) {
  const { can } = useProject()
  const path = `/gateway-configurations/${encodeURIComponent(id)}`
  const { data, error, refresh } = useRead<{ gateway_configuration: GatewayConfiguration }>(path, { every: 10_000 })
  const more = useRead<{ gateway_configuration: GatewayAccount }>(`/dashboard${path}`)
  const installed = useInstalledGateways()
  const configuration = data?.gateway_configuration
  const back = { path: ['gateways'], words: t('gateways.title') }
  if (configuration === undefined)
    return (
      <Page title={t('gateways.page.title')} back={back}>
        {error ? <Problem error={error} retry={refresh} /> : <Loading />}
      </Page>
    )
  const gateway = installed.find(({ name }) => name === configuration.gateway_name)
  const {
    notification_address: address = null,
    refused_notifications: refused = null,
    changes = [],
  } = more.data?.gateway_configuration ?? {}
  const refreshAll = () => Promise.all([refresh(), more.refresh()])
  const setUp = gateway?.notifications
  return (
    <Page
      title={configuration.name}
      heading={<bdi>{configuration.name}</bdi>}
      about={
        <span className="badges">
          {configuration.gateway?.display_name ?? configuration.gateway_name} <GatewayStatus gateway={configuration} />
        </span>
      }
      back={back}
      actions={<Actions configuration={configuration} gateway={gateway} onDone={refreshAll} />}
      mayChange={can('configuration')}
    >
      <OpenCircuit configuration={configuration} />
      <div className="columns">
        <ConnectionSection
          configuration={configuration}
          last={changes.find(({ what }) => what === 'tested') ?? null}
          onDone={more.refresh}
        />
        {setUp && address !== null && (
          <NotificationsSection
            address={address}
            setUp={setUp}
            isProven={Object.hasOwn(configuration.credentials, setUp.proof)}
            proof={labelOf(gateway?.credentials, setUp.proof)}
            refused={refused}
          />
        )}
        <Section title={t('gateways.page.credentials')} about={t('gateways.page.never')}>
          <Credentials configuration={configuration} fields={gateway?.credentials} />
        </Section>
        <Section title={t('gateways.page.settings')}>
          <Settings configuration={configuration} fields={gateway?.settings} />
        </Section>
        <Section title={t('gateways.page.can')}>
          <Abilities configuration={configuration} />
        </Section>
        <AccountSection configuration={configuration} />
      </div>
      {more.error ? (
        <Problem error={more.error} retry={more.refresh} />
      ) : (
        more.data && <ChangesSection changes={changes} gateway={gateway} />
      )}
    </Page>
  )
}

interface Props {
  configuration: GatewayConfiguration
}

function OpenCircuit({ configuration: { circuit } }: Props) {
  if (circuit.state === 'closed') return null
  const { reason } = circuit
  return (
    <Alert color="red" title={t('gateways.circuit.title')}>
      {reason ? t.rich('gateways.circuit.failedWith', { ...marks, reason }) : t('gateways.circuit.failed')}
    </Alert>
  )
}

function AccountSection({ configuration }: Props) {
  const { id, circuit, default_currency: currency, merchant_account_country_code: country, created_at } = configuration
  return (
    <Section title={t('gateways.page.account')}>
      <Facts
        facts={[
          [t('gateways.page.id'), <Id key="id" id={id} label={t('gateways.page.idOf')} />],
          [t('gateways.list.circuit'), <CircuitState key="circuit" gateway={configuration} />],
          [
            t('gateways.page.since'),
            circuit.changed_at ? <Instant key="since" at={circuit.changed_at} /> : <Nothing key="none" />,
          ],
          [t('gateways.page.currency'), currency ?? <Nothing key="currency" />],
          [t('gateways.page.country'), country ?? <Nothing key="country" />],
          [t('gateways.page.addedAt'), <Instant key="added" at={created_at} />],
        ]}
      />
    </Section>
  )
}

type Fields = readonly AccountField[] | undefined

function labelOf(fields: Fields, name: string): string {
  const field = fields?.find((one) => one.name === name)
  return field === undefined ? name : wordsIn(field.label)
}

function Credentials({ configuration: { credentials }, fields }: Props & { fields: Fields }) {
  const entries = Object.entries(credentials)
  if (entries.length === 0) return <Empty title={t('gateways.page.noCredentials')} />
  return (
    <Facts
      facts={entries.map(([name, { set_at }]) => [
        labelOf(fields, name),
        <span key={name}>{t.rich('gateways.page.setOn', { at: () => <Instant at={set_at} /> })}</span>,
      ])}
    />
  )
}

function Settings({ configuration: { settings }, fields }: Props & { fields: Fields }) {
  const entries = Object.entries(settings)
  if (entries.length === 0) return <Empty title={t('gateways.page.defaults')} />
  const shownValue = (name: string, value: string) => {
    const choice = fields?.find((field) => field.name === name)?.choices?.find((one) => one.value === value)
    return choice === undefined ? value : wordsIn(choice.label)
  }
  return <Facts facts={entries.map(([name, value]) => [labelOf(fields, name), shownValue(name, value)])} />
}

function Abilities({ configuration: { capabilities } }: Props) {
  if (capabilities === null) return <Empty title={t('gateways.page.notInstalled')} />
  return (
    <>
      <ul className="abilities">
        {abilitiesOf(capabilities).map(({ words, can }) => (
          <li key={words} data-able={can || undefined}>
            {can ? <CheckIcon aria-hidden /> : <Cross2Icon aria-hidden />}
            {words}
            {!can && <span className="hidden-words">{t('gateways.ability.not')}</span>}
          </li>
        ))}
      </ul>
      <Facts
        facts={[
          [t('gateways.page.currencies'), capabilities.currencies?.join(', ') ?? t('common.all')],
          [t('gateways.page.schemes'), capabilities.schemes?.map(schemeWords).join(', ') ?? t('common.all')],
        ]}
      />
    </>
  )
}

function Actions({ configuration, gateway, onDone }: Props & { gateway: Gateway | undefined; onDone(): unknown }) {
  const { can } = useProject()
  const [asked, setAsked] = useState<'edit' | 'switch' | null>(null)
  if (!can('configuration')) return null
  const close = () => setAsked(null)
  return (
    <>
      {gateway && (
        <Button variant="default" onClick={() => setAsked('edit')}>
          {t('common.change')}
        </Button>
      )}
      <Button variant="default" onClick={() => setAsked('switch')}>
        {t(configuration.enabled ? 'gateways.switch.off' : 'gateways.switch.on')}
      </Button>
      {asked === 'edit' && gateway && (
        <EditGateway configuration={configuration} gateway={gateway} onClose={close} onDone={onDone} />
      )}
      {asked === 'switch' && <SwitchGateway configuration={configuration} onClose={close} onDone={onDone} />}
    </>
  )
}

function SwitchGateway({
  configuration: { id, name, enabled },
  onClose,
  onDone,
}: Props & { onClose(): void; onDone(): unknown }) {
  const change = useAct()
  async function run() {
    if (!(await change.run('PUT', `/gateway-configurations/${id}`, { enabled: !enabled }))) return
    say(t(enabled ? 'gateways.switch.wasOff' : 'gateways.switch.wasOn', { name: isolated(name) }))
    await onDone()
    onClose()
  }
  return (
    <Dialog
      title={t(enabled ? 'gateways.switch.offTitle' : 'gateways.switch.onTitle')}
      opened
      onClose={onClose}
      action={t(enabled ? 'gateways.switch.off' : 'gateways.switch.on')}
      onAction={run}
      busy={change.busy}
      error={change.error}
      isDangerous={enabled}
    >
      <Text size="sm">
        {t.rich(enabled ? 'gateways.switch.offAbout' : 'gateways.switch.onAbout', { ...marks, name })}
      </Text>
    </Dialog>
  )
}
