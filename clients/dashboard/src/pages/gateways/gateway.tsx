import { Alert, Button, Text } from '@mantine/core'
import { CheckIcon, Cross2Icon } from '@radix-ui/react-icons'
import { useState } from 'react'
import type { GatewayConfiguration } from '../../../../node/src/generated/schemas.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Empty, Loading, Page, Problem, Section } from '../../parts/page.tsx'
import { say } from '../../parts/said.ts'
import { Facts, Id, Instant, Nothing } from '../../parts/values.tsx'
import { useAct } from '../../service/act.ts'
import { useRead } from '../../service/read.ts'
import { useProject } from '../../service/session.tsx'
import { schemeWords } from '../../words/status.ts'
import { abilitiesOf } from './abilities.ts'
import { EditGateway } from './edit-gateway.tsx'
import { CircuitState, GatewayStatus } from './gateway-state.tsx'

export function GatewayPage({ id }: { id: string }) {
  const { href } = useProject()
  const { data, error, refresh } = useRead<{ gateway_configuration: GatewayConfiguration }>(
    `/gateway-configurations/${encodeURIComponent(id)}`,
    { every: 10_000 },
  )
  const gateway = data?.gateway_configuration
  const back = { href: href(['gateways']), words: 'Gateways' }
  if (gateway === undefined)
    return (
      <Page title="Gateway" back={back}>
        {error ? <Problem error={error} retry={refresh} /> : <Loading />}
      </Page>
    )
  const { circuit } = gateway
  return (
    <Page
      title={gateway.name}
      about={
        <span className="badges">
          {gateway.gateway_name} <GatewayStatus gateway={gateway} />
        </span>
      }
      back={back}
      actions={<Actions gateway={gateway} onDone={refresh} />}
    >
      {circuit.state !== 'closed' && (
        <Alert color="red" title="Payments are not sent there for a while">
          Too many calls have failed{circuit.reason && `, the last one with “${circuit.reason}”`}. One is tried again
          within a minute; until then payments go to the next gateway of their route.
        </Alert>
      )}
      <div className="columns">
        <Section title="What it can do">
          <Abilities gateway={gateway} />
        </Section>
        <Section title="Account">
          <Facts
            facts={[
              ['Id', <Id key="id" id={gateway.id} label="the id of the gateway configuration" />],
              ['Circuit', <CircuitState key="circuit" gateway={gateway} />],
              ['Since', circuit.changed_at ? <Instant key="since" at={circuit.changed_at} /> : <Nothing key="none" />],
              ['Currency', gateway.default_currency ?? <Nothing key="currency" />],
              ['Country', gateway.merchant_account_country_code ?? <Nothing key="country" />],
              ['Added', <Instant key="added" at={gateway.created_at} />],
            ]}
          />
        </Section>
      </div>
      <Setup gateway={gateway} />
    </Page>
  )
}

function Setup({ gateway }: { gateway: GatewayConfiguration }) {
  return (
    <div className="columns">
      <Section title="Credentials" about="Their values are never shown.">
        {Object.keys(gateway.credentials).length === 0 ? (
          <Empty title="None are needed" />
        ) : (
          <Facts
            facts={Object.entries(gateway.credentials).map(([name, { set_at }]) => [
              name,
              <span key={name}>
                set on <Instant at={set_at} />
              </span>,
            ])}
          />
        )}
      </Section>
      <Section title="Settings">
        {Object.keys(gateway.settings).length === 0 ? (
          <Empty title="Defaults" />
        ) : (
          <Facts facts={Object.entries(gateway.settings)} />
        )}
      </Section>
    </div>
  )
}

function Abilities({ gateway }: { gateway: GatewayConfiguration }) {
  const { capabilities } = gateway
  if (capabilities === null) return <Empty title="Its adapter is no longer installed" />
  return (
    <>
      <ul className="abilities">
        {abilitiesOf(capabilities).map(({ words, can }) => (
          <li key={words} data-able={can || undefined}>
            {can ? <CheckIcon aria-hidden /> : <Cross2Icon aria-hidden />}
            {words}
            {!can && <span className="hidden-words"> is not possible</span>}
          </li>
        ))}
      </ul>
      <Facts
        facts={[
          ['Currencies', capabilities.currencies?.join(', ') ?? 'All'],
          ['Schemes', capabilities.schemes?.map(schemeWords).join(', ') ?? 'All'],
        ]}
      />
    </>
  )
}

function Actions({ gateway, onDone }: { gateway: GatewayConfiguration; onDone(): unknown }) {
  const { can } = useProject()
  const [asked, setAsked] = useState<'edit' | 'switch' | null>(null)
  if (!can('configuration')) return null
  return (
    <>
      <Button variant="default" onClick={() => setAsked('edit')}>
        Change
      </Button>
      <Button variant="default" onClick={() => setAsked('switch')}>
        {gateway.enabled ? 'Switch off' : 'Switch on'}
      </Button>
      {asked === 'edit' && <EditGateway gateway={gateway} onClose={() => setAsked(null)} onDone={onDone} />}
      {asked === 'switch' && <SwitchGateway gateway={gateway} onClose={() => setAsked(null)} onDone={onDone} />}
    </>
  )
}

function SwitchGateway({
  gateway,
  onClose,
  onDone,
}: {
  gateway: GatewayConfiguration
  onClose(): void
  onDone(): unknown
}) {
  const { id, name, enabled } = gateway
  const change = useAct()
  async function run() {
    if (!(await change.run('PUT', `/gateway-configurations/${id}`, { enabled: !enabled }))) return
    say(enabled ? `${name} was switched off.` : `${name} was switched on.`)
    await onDone()
    onClose()
  }
  return (
    <Dialog
      title={enabled ? 'Switch the account off' : 'Switch the account on'}
      opened
      onClose={onClose}
      action={enabled ? 'Switch off' : 'Switch on'}
      onAction={run}
      busy={change.busy}
      error={change.error}
      isDangerous={enabled}
    >
      <Text size="sm">
        {enabled
          ? `No new payments are sent to ${name}. Captures, refunds and notifications continue.`
          : `Payments go to ${name} again, as the routing rules say.`}
      </Text>
    </Dialog>
  )
}
