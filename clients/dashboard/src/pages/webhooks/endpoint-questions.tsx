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
import { marks, t } from '../../words/words.ts'

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
    say(t(enabled ? 'webhooks.switchedOff' : 'webhooks.switchedOn'))
    await onDone()
    onClose()
  }
  return (
    <Dialog
      title={t(enabled ? 'webhooks.switchOff' : 'webhooks.switchOn')}
      opened
      onClose={onClose}
      action={t(enabled ? 'webhooks.switchOff' : 'webhooks.switchOn')}
      onAction={run}
      busy={change.busy}
      error={change.error}
      isDangerous={enabled}
    >
      <Text size="sm" className="break">
        {t.rich(enabled ? 'webhooks.switchOffAbout' : 'webhooks.switchOnAbout', { ...marks, url })}
      </Text>
    </Dialog>
  )
}

const OVERLAPS = [
  { value: '0', label: t('webhooks.overlap.now') },
  { value: '3600', label: t('webhooks.overlap.hour') },
  { value: '86400', label: t('webhooks.overlap.day') },
  { value: '604800', label: t('webhooks.overlap.week') },
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
      <Secret title={t('webhooks.rotated')} secret={secret} label={t('webhooks.signingSecret')} onClose={onClose}>
        {t('webhooks.rotatedAbout')}
      </Secret>
    )
  return (
    <Dialog
      title={t('webhooks.rotate')}
      opened
      onClose={onClose}
      action={t('webhooks.rotateAction')}
      onAction={run}
      busy={rotate.busy}
      error={rotate.error}
    >
      <Text size="sm">{t('webhooks.rotateAbout')}</Text>
      <NativeSelect
        label={t('webhooks.oldEnds')}
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
  const [since, setSince] = useState(() =>
    fieldText(Math.max(Date.now() - 24 * HOUR_MS, Date.parse(endpoint.created_at))),
  )
  const recover = useAct<RecoverWebhookEndpointAnswer>()
  async function run() {
    const body = { since: new Date(since).toISOString() }
    const answer = await recover.run('POST', `/webhook-endpoints/${endpoint.id}/recover`, body)
    if (answer === undefined) return
    say(t(answer.has_more ? 'webhooks.recoveredMore' : 'webhooks.recovered', { count: answer.count }))
    await onDone()
    onClose()
  }
  return (
    <Dialog
      title={t('webhooks.recover')}
      opened
      onClose={onClose}
      action={t('webhooks.send')}
      onAction={run}
      busy={recover.busy}
      error={recover.error}
      isDisabled={Number.isNaN(Date.parse(since))}
    >
      <Text size="sm">{t('webhooks.recoverAbout')}</Text>
      <TextInput
        label={t('webhooks.sinceField')}
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
    say(t('webhooks.deleted'))
    go(href(['webhooks']))
  }
  return (
    <Dialog
      title={t('webhooks.deleteTitle')}
      opened
      onClose={onClose}
      action={t('webhooks.deleteForGood')}
      onAction={run}
      busy={remove.busy}
      error={remove.error}
      isDangerous
    >
      <Text size="sm" className="break">
        {t.rich('webhooks.deleteAbout', { ...marks, url: endpoint.url })}
      </Text>
    </Dialog>
  )
}
