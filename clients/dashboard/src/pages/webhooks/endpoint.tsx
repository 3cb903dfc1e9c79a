import { Alert, Button, Menu } from '@mantine/core'
import { ChevronDownIcon } from '@radix-ui/react-icons'
import { useState } from 'react'
import type { WebhookEndpoint } from '../../../../node/src/generated/schemas.ts'
import { Loading, Page, Problem, Section } from '../../parts/page.tsx'
import { say } from '../../parts/said.ts'
import { Facts, Id, Instant } from '../../parts/values.tsx'
import { useAct } from '../../service/act.ts'
import { useRead } from '../../service/read.ts'
import { useProject } from '../../service/session.tsx'
import { disabledWords } from '../../words/status.ts'
import { Deliveries, useDeliveries } from './deliveries.tsx'
import { EndpointDialog } from './endpoint-dialog.tsx'
import { DeleteDialog, RecoverDialog, RotateDialog, SwitchDialog } from './endpoint-questions.tsx'
import { EndpointStatus } from './webhooks.tsx'

const QUESTIONS = {
  edit: EndpointDialog,
  rotate: RotateDialog,
  recover: RecoverDialog,
  switch: SwitchDialog,
  delete: DeleteDialog,
}

export function EndpointPage({ id }: { id: string }) {
  const { href } = useProject()
  const { data, error, refresh } = useRead<{ webhook_endpoint: WebhookEndpoint }>(
    `/webhook-endpoints/${encodeURIComponent(id)}`,
  )
  const deliveries = useDeliveries(id)
  // What was done may have sent something.
  const refreshAll = () => Promise.all([refresh(), deliveries.reading.refresh()])
  const endpoint = data?.webhook_endpoint
  const back = { href: href(['webhooks']), words: 'Webhooks' }
  if (endpoint === undefined)
    return (
      <Page title="Webhook endpoint" back={back}>
        {error ? <Problem error={error} retry={refresh} /> : <Loading />}
      </Page>
    )
  return (
    <Page
      title={endpoint.url}
      heading={<span className="break small-heading">{endpoint.url}</span>}
      about={<EndpointStatus endpoint={endpoint} />}
      back={back}
      actions={<Actions endpoint={endpoint} onDone={refreshAll} />}
    >
      {!endpoint.enabled && (
        <Alert color={endpoint.disabled_reason === 'merchant' ? 'gray' : 'red'} title="Nothing is sent there">
          {disabledWords(endpoint.disabled_reason)}{' '}
          {endpoint.disabled_at && (
            <>
              Since <Instant at={endpoint.disabled_at} />.
            </>
          )}
        </Alert>
      )}
      {endpoint.enabled && endpoint.failing_since && (
        <Alert color="yellow" title="It accepts nothing at present">
          Since <Instant at={endpoint.failing_since} />. Webhooks are retried over three days; after five days without
          success the endpoint is switched off.
        </Alert>
      )}
      <Section title="Endpoint">
        <Facts
          facts={[
            ['Id', <Id key="id" id={endpoint.id} label="the id of the endpoint" />],
            ...(endpoint.description ? [['Note', endpoint.description] as const] : []),
            ['Events', endpoint.events_whitelist ? <Names key="events" names={endpoint.events_whitelist} /> : 'All'],
            [
              'Signature',
              endpoint.public_key ? <Id key="key" id={endpoint.public_key} label="the public key" /> : 'HMAC-SHA-256',
            ],
            ['Added', <Instant key="added" at={endpoint.created_at} />],
          ]}
        />
      </Section>
      <Deliveries endpoint={endpoint} deliveries={deliveries} />
    </Page>
  )
}

function Names({ names }: { names: readonly string[] }) {
  return (
    <ul className="plain">
      {names.map((name) => (
        <li key={name}>
          <code>{name}</code>
        </li>
      ))}
    </ul>
  )
}

function Actions({ endpoint, onDone }: { endpoint: WebhookEndpoint; onDone(): unknown }) {
  const { can } = useProject()
  const [asked, setAsked] = useState<keyof typeof QUESTIONS | null>(null)
  const test = useAct()
  if (!can('webhooks')) return null
  async function sendTest() {
    if (!(await test.run('POST', `/webhook-endpoints/${endpoint.id}/test`, {}))) return
    say('A test event is on its way.')
    await onDone()
  }
  const Question = asked === null ? null : QUESTIONS[asked]
  return (
    <>
      {endpoint.enabled && (
        <Button loading={test.busy} onClick={sendTest}>
          Send a test
        </Button>
      )}
      <Button variant="default" onClick={() => setAsked('switch')}>
        {endpoint.enabled ? 'Switch off' : 'Switch on'}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" rightSection={<ChevronDownIcon />}>
            More
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setAsked('edit')}>Change</Menu.Item>
          <Menu.Item onClick={() => setAsked('rotate')}>Rotate the secret</Menu.Item>
          {endpoint.enabled && <Menu.Item onClick={() => setAsked('recover')}>Send missed events</Menu.Item>}
          <Menu.Divider />
          <Menu.Item color="red" onClick={() => setAsked('delete')}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {test.error && <Problem error={test.error} />}
      {Question && <Question endpoint={endpoint} onClose={() => setAsked(null)} onDone={onDone} />}
    </>
  )
}
