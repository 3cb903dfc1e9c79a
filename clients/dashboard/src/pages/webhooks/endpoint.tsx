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
import { t } from '../../words/words.ts'
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
  const { can } = useProject()
  const { data, error, refresh } = useRead<{ webhook_endpoint: WebhookEndpoint }>(
    `/webhook-endpoints/${encodeURIComponent(id)}`,
    // Whether it accepts anything changes by itself.
    { every: 15_000 },
  )
  const deliveries = useDeliveries(`/webhook-endpoints/${encodeURIComponent(id)}/webhooks`)
  // What was done may have sent something.
  const refreshAll = () => Promise.all([refresh(), deliveries.reading.refresh()])
  const endpoint = data?.webhook_endpoint
  const back = { path: ['webhooks'], words: t('webhooks.title') }
  if (endpoint === undefined)
    return (
      <Page title={t('webhooks.endpoint')} back={back}>
        {error ? <Problem error={error} retry={refresh} /> : <Loading />}
      </Page>
    )
  return (
    <Page
      title={endpoint.url}
      heading={<bdi className="break small-heading">{endpoint.url}</bdi>}
      about={<EndpointStatus endpoint={endpoint} />}
      back={back}
      actions={<Actions endpoint={endpoint} onDone={refreshAll} />}
      mayChange={can('webhooks')}
    >
      {!endpoint.enabled && (
        <Alert color={endpoint.disabled_reason === 'merchant' ? 'gray' : 'red'} title={t('webhooks.nothingSent')}>
          {disabledWords(endpoint.disabled_reason)}{' '}
          {endpoint.disabled_at && t.rich('webhooks.since', { at: () => <Instant at={endpoint.disabled_at ?? ''} /> })}
        </Alert>
      )}
      {endpoint.enabled && endpoint.failing_since && (
        <Alert color="yellow" title={t('webhooks.acceptsNothing')}>
          {t.rich('webhooks.acceptsNothingAbout', { at: () => <Instant at={endpoint.failing_since ?? ''} /> })}
        </Alert>
      )}
      <Section title={t('webhooks.section')}>
        <Facts
          facts={[
            [t('webhooks.id'), <Id key="id" id={endpoint.id} label={t('webhooks.idOfEndpoint')} />],
            ...(endpoint.description
              ? [[t('webhooks.note'), <bdi key="note">{endpoint.description}</bdi>] as const]
              : []),
            [
              t('webhooks.events'),
              endpoint.events_whitelist ? <Names key="events" names={endpoint.events_whitelist} /> : t('common.all'),
            ],
            [
              t('webhooks.signature'),
              endpoint.public_key ? (
                <Id key="key" id={endpoint.public_key} label={t('webhooks.publicKey')} />
              ) : (
                'HMAC-SHA-256'
              ),
            ],
            [t('webhooks.added'), <Instant key="added" at={endpoint.created_at} />],
          ]}
        />
      </Section>
      <Deliveries
        title={t('webhooks.title')}
        deliveries={deliveries}
        none={t('webhooks.none')}
        advice={t(`webhooks.noneAdvice.${deliveries.status}`)}
        takes={() => endpoint.enabled}
      />
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
    say(t('webhooks.testSent'))
    await onDone()
  }
  const Question = asked === null ? null : QUESTIONS[asked]
  return (
    <>
      {endpoint.enabled && (
        <Button loading={test.busy} onClick={sendTest}>
          {t('webhooks.sendTest')}
        </Button>
      )}
      <Button variant="default" onClick={() => setAsked('switch')}>
        {t(endpoint.enabled ? 'webhooks.switchOff' : 'webhooks.switchOn')}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" rightSection={<ChevronDownIcon />}>
            {t('webhooks.more')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setAsked('edit')}>{t('common.change')}</Menu.Item>
          <Menu.Item onClick={() => setAsked('rotate')}>{t('webhooks.rotate')}</Menu.Item>
          {endpoint.enabled && <Menu.Item onClick={() => setAsked('recover')}>{t('webhooks.recover')}</Menu.Item>}
          <Menu.Divider />
          <Menu.Item color="red" onClick={() => setAsked('delete')}>
            {t('common.delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {test.error && <Problem error={test.error} />}
      {Question && <Question endpoint={endpoint} onClose={() => setAsked(null)} onDone={onDone} />}
    </>
  )
}
