import { MultiSelect, Switch, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { EVENT_NAMES, type EventName } from '../../../../../domain/webhook-event.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { say } from '../../parts/said.ts'
import { Secret } from '../../parts/secret.tsx'
import { useAct } from '../../service/act.ts'
import type { WebhookEndpoint } from '../../service/rest.ts'
import { useProject } from '../../service/session.tsx'

const EVENTS = Object.keys(EVENT_NAMES)

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
  const { project } = useProject()
  const [url, setUrl] = useState(endpoint?.url ?? '')
  const [description, setDescription] = useState(endpoint?.description ?? '')
  const [events, setEvents] = useState<string[]>(endpoint?.events_whitelist ?? [])
  const [signs, setSigns] = useState(endpoint?.sign_with_ed25519 ?? false)
  const [secret, setSecret] = useState<string | null>(null)
  const save = useAct<{ webhook_endpoint: WebhookEndpoint }>()

  async function run() {
    const body = {
      url: url.trim(),
      description,
      events_whitelist: events.length === 0 ? ['*'] : events,
      sign_with_ed25519: signs,
    }
    const answer = endpoint
      ? await save.run('PUT', `/webhook-endpoints/${endpoint.id}`, body)
      : await save.run('POST', '/webhook-endpoints', body)
    if (answer === undefined) return
    await onDone()
    if (answer.webhook_endpoint.secret) setSecret(answer.webhook_endpoint.secret)
    else {
      say('The endpoint was changed.')
      onClose()
    }
  }

  if (secret !== null)
    return (
      <Secret title="The endpoint was added" secret={secret} label="Signing secret" onClose={onClose}>
        Your server verifies with it that a webhook comes from here.
      </Secret>
    )
  return (
    <Dialog
      title={endpoint ? 'Change the endpoint' : 'Add an endpoint'}
      opened
      onClose={onClose}
      action={endpoint ? 'Save' : 'Add the endpoint'}
      onAction={run}
      busy={save.busy}
      error={save.error}
      size="lg"
    >
      <TextInput
        label="Address"
        description={project.environment === 'live' ? 'An https address that is public.' : undefined}
        placeholder="https://shop.example/webhooks"
        type="url"
        required
        data-autofocus
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      <MultiSelect
        label="Events"
        description="Without a choice it gets all, those of later versions included."
        placeholder={events.length === 0 ? 'All events' : undefined}
        data={EVENTS}
        value={events}
        onChange={setEvents}
        searchable
        clearable
        renderOption={({ option }) => (
          <span className="two-lines">
            <code>{option.value}</code>
            <small>{EVENT_NAMES[option.value as EventName]}</small>
          </span>
        )}
      />
      <Textarea
        label="Note"
        description="For your own people."
        rows={2}
        maxLength={255}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <Switch
        label="Also sign with Ed25519"
        description="Then a server can verify with a public key, without knowing the secret."
        checked={signs}
        onChange={(event) => setSigns(event.currentTarget.checked)}
      />
    </Dialog>
  )
}
