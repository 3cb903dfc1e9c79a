import { MultiSelect, Switch, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { EVENT_NAMES } from '../../../../../domain/webhook-event.ts'
import type { WebhookEndpoint, WebhookEndpointWithSecret } from '../../../../node/src/generated/schemas.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { say } from '../../parts/said.ts'
import { Secret } from '../../parts/secret.tsx'
import { useAct } from '../../service/act.ts'
import { useProject } from '../../service/session.tsx'
import { t, wordsOf } from '../../words/words.ts'

const EVENTS = Object.keys(EVENT_NAMES)

interface Wanted {
  url: string
  description: string
  /** None is all of them. */
  events: string[]
  signsWithEd25519: boolean
}

function wantedOf(endpoint: WebhookEndpoint | undefined): Wanted {
  return {
    url: endpoint?.url ?? '',
    description: endpoint?.description ?? '',
    events: endpoint?.events_whitelist ?? [],
    signsWithEd25519: endpoint?.sign_with_ed25519 ?? false,
  }
}

/** Adds an endpoint, or changes the given one. The secret of a new one is shown once. */
export function EndpointDialog({
  endpoint,
  onClose,
  onDone,
}: {
  endpoint?: WebhookEndpoint
  onClose(): void
  onDone(): unknown
}) {
  const [wanted, setWanted] = useState(() => wantedOf(endpoint))
  const [secret, setSecret] = useState<string | null>(null)
  const save = useAct<{ webhook_endpoint: WebhookEndpoint | WebhookEndpointWithSecret }>()

  async function run() {
    const { url, description, events, signsWithEd25519 } = wanted
    const body = {
      url: url.trim(),
      description,
      events_whitelist: events.length === 0 ? ['*'] : events,
      sign_with_ed25519: signsWithEd25519,
    }
    const answer = endpoint
      ? await save.run('PUT', `/webhook-endpoints/${endpoint.id}`, body)
      : await save.run('POST', '/webhook-endpoints', body)
    if (answer === undefined) return
    await onDone()
    if ('secret' in answer.webhook_endpoint) return setSecret(answer.webhook_endpoint.secret)
    say(t('webhooks.changed'))
    onClose()
  }

  if (secret !== null)
    return (
      <Secret title={t('webhooks.isAdded')} secret={secret} label={t('webhooks.signingSecret')} onClose={onClose}>
        {t('webhooks.isAddedAbout')}
      </Secret>
    )
  return (
    <Dialog
      title={t(endpoint ? 'webhooks.changeTitle' : 'webhooks.add')}
      opened
      onClose={onClose}
      action={t(endpoint ? 'common.save' : 'webhooks.addAction')}
      onAction={run}
      busy={save.busy}
      error={save.error}
      size="lg"
    >
      <EndpointFields wanted={wanted} onChange={(changed) => setWanted({ ...wanted, ...changed })} />
    </Dialog>
  )
}

function EndpointFields({ wanted, onChange }: { wanted: Wanted; onChange(changed: Partial<Wanted>): void }) {
  const { project } = useProject()
  const { url, description, events, signsWithEd25519 } = wanted
  return (
    <>
      <TextInput
        label={t('webhooks.address')}
        description={project.environment === 'live' ? t('webhooks.httpsOnly') : undefined}
        placeholder="https://shop.example/webhooks"
        type="url"
        required
        data-autofocus
        value={url}
        onChange={(event) => onChange({ url: event.currentTarget.value })}
      />
      <MultiSelect
        label={t('webhooks.events')}
        description={t('webhooks.eventsAbout')}
        {...(events.length === 0 && { placeholder: t('webhooks.allEvents') })}
        data={EVENTS}
        value={events}
        onChange={(chosen) => onChange({ events: chosen })}
        searchable
        clearable
        renderOption={({ option }) => (
          <span className="two-lines">
            <code>{option.value}</code>
            <small>{wordsOf('events', option.value)}</small>
          </span>
        )}
      />
      <Textarea
        label={t('webhooks.note')}
        description={t('webhooks.noteAbout')}
        rows={2}
        maxLength={255}
        value={description}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
      <Switch
        label={t('webhooks.ed25519')}
        description={t('webhooks.ed25519About')}
        checked={signsWithEd25519}
        onChange={(event) => onChange({ signsWithEd25519: event.currentTarget.checked })}
      />
    </>
  )
}
