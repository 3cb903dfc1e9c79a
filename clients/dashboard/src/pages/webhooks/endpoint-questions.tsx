/** What is asked before an endpoint is switched, given another secret, sent what it has missed, or deleted. */
import { NativeSelect, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type {
  RecoverWebhookEndpointAnswer,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
} from '../../../../node/src/generated/schemas.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { say } from '../../parts/said.ts'
import { Secret } from '../../parts/secret.tsx'
import { useAct } from '../../service/act.ts'
import { go } from '../../service/route.ts'
import { useProject } from '../../service/session.tsx'
import { plural } from '../../words/format.ts'

interface QuestionProps {
  endpoint: WebhookEndpoint
  onClose(): void
  onDone(): unknown
}

export function SwitchDialog({ endpoint, onClose, onDone }: QuestionProps) {
  const { enabled, id, url } = endpoint
  const change = useAct()
  async function run() {
    if (!(await change.run('PUT', `/webhook-endpoints/${id}`, { enabled: !enabled }))) return
    say(enabled ? 'The endpoint was switched off.' : 'The endpoint was switched on.')
    await onDone()
    onClose()
  }
  return (
    <Dialog
      title={enabled ? 'Switch off' : 'Switch on'}
      opened
      onClose={onClose}
      action={enabled ? 'Switch off' : 'Switch on'}
      onAction={run}
      busy={change.busy}
      error={change.error}
      isDangerous={enabled}
    >
      <Text size="sm" className="break">
        {enabled
          ? `Nothing is sent to ${url} until it is on again. Events of that time are not lost: they can be sent later.`
          : `${url} gets new events from now on. “Send missed events” sends the others.`}
      </Text>
    </Dialog>
  )
}

const OVERLAPS = [
  { value: '0', label: 'At once' },
  { value: '3600', label: 'After an hour' },
  { value: '86400', label: 'After a day' },
  { value: '604800', label: 'After a week' },
]

export function RotateDialog({ endpoint, onClose, onDone }: QuestionProps) {
  const [overlap, setOverlap] = useState('86400')
  const [secret, setSecret] = useState<string | null>(null)
  const rotate = useAct<{ webhook_endpoint: WebhookEndpointWithSecret }>()
  async function run() {
    const body = { previous_expires_in: Number(overlap) }
    const answer = await rotate.run('POST', `/webhook-endpoints/${endpoint.id}/rotate-secret`, body)
    if (answer === undefined) return
    await onDone()
    setSecret(answer.webhook_endpoint.secret)
  }
  if (secret !== null)
    return (
      <Secret title="The secret was rotated" secret={secret} label="Signing secret" onClose={onClose}>
        Give it to your server now. Until the old one ends, webhooks are signed with both.
      </Secret>
    )
  return (
    <Dialog
      title="Rotate the secret"
      opened
      onClose={onClose}
      action="Make a new secret"
      onAction={run}
      busy={rotate.busy}
      error={rotate.error}
    >
      <Text size="sm">
        Webhooks are signed with both secrets until the old one ends, so that none is refused meanwhile.
      </Text>
      <NativeSelect
        label="The old secret ends"
        value={overlap}
        onChange={(event) => setOverlap(event.currentTarget.value)}
        data={OVERLAPS}
      />
    </Dialog>
  )
}

const HOUR_MS = 3_600_000

/** An instant as the field for date and time has it, in the reader's zone. */
function fieldText(at: number): string {
  const local = new Date(at - new Date(at).getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}

export function RecoverDialog({ endpoint, onClose, onDone }: QuestionProps) {
  const [since, setSince] = useState(() => fieldText(Date.now() - 24 * HOUR_MS))
  const recover = useAct<RecoverWebhookEndpointAnswer>()
  async function run() {
    const body = { since: new Date(since).toISOString() }
    const answer = await recover.run('POST', `/webhook-endpoints/${endpoint.id}/recover`, body)
    if (answer === undefined) return
    say(`${plural(answer.count, 'event')} on the way${answer.has_more ? '; there are more, so do it again' : ''}.`)
    await onDone()
    onClose()
  }
  return (
    <Dialog
      title="Send missed events"
      opened
      onClose={onClose}
      action="Send"
      onAction={run}
      busy={recover.busy}
      error={recover.error}
      isDisabled={Number.isNaN(Date.parse(since))}
    >
      <Text size="sm">
        Events that this endpoint has not accepted since then are sent now, the oldest first: those that have failed,
        those that wait for a retry, and those that were never meant for it.
      </Text>
      <TextInput
        label="Since"
        type="datetime-local"
        required
        value={since}
        onChange={(event) => setSince(event.currentTarget.value)}
      />
    </Dialog>
  )
}

export function DeleteDialog({ endpoint, onClose }: QuestionProps) {
  const { href } = useProject()
  const remove = useAct()
  async function run() {
    if (!(await remove.run('DELETE', `/webhook-endpoints/${endpoint.id}`))) return
    say('The endpoint was deleted.')
    go(href(['webhooks']))
  }
  return (
    <Dialog
      title="Delete the endpoint"
      opened
      onClose={onClose}
      action="Delete for good"
      onAction={run}
      busy={remove.busy}
      error={remove.error}
      isDangerous
    >
      <Text size="sm" className="break">
        {endpoint.url} gets nothing any more; what waits for it is given up. To pause it, switch it off instead.
      </Text>
    </Dialog>
  )
}
