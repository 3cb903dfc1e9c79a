import { useState } from 'react'
import type { Webhook } from '../../../../node/src/generated/schemas.ts'
import { say } from '../../parts/said.ts'
import { useAct } from '../../service/act.ts'
import { type ApiError, addressOf } from '../../service/api.ts'
import type { List } from '../../service/read.ts'
import { useProject } from '../../service/session.tsx'
import { failureWords } from '../../words/status.ts'
import { t } from '../../words/words.ts'

/** A receiver has ten seconds to answer. Whoever waits longer stands in line there, and the list shows it later. */
const ASKED_MAX = 15
const PAUSE_MS = 1_000

export interface SendingAgain {
  /** The `key` of what is under way; null where nothing is. */
  sending: string | null
  error: ApiError | null
  /** To one endpoint; without one to all that take the event, and to the address of its invoice or token. */
  send(key: string, eventId: string, endpointId: string | null): Promise<void>
}

/**
 * Sends events again, one at a time, and tells how the try has ended: that it is on its way is no news for who wants to know
 * whether it arrives.
 *
 * @param changed is called when it is on its way, and when the try has ended
 */
export function useSendAgain(changed: () => Promise<unknown>): SendingAgain {
  const { api } = useProject()
  const [sending, setSending] = useState<string | null>(null)
  const resend = useAct<{ webhooks: Webhook[] }>()

  /** Those of the sent ones whose try has ended, as soon as all have, or what is known after the last time of asking. */
  async function triedOf(eventId: string, sent: readonly Webhook[]): Promise<Webhook[]> {
    const address = addressOf(`/events/${encodeURIComponent(eventId)}/webhooks`, { limit: '100' })
    let tried: Webhook[] = []
    for (let asked = 0; asked < ASKED_MAX && tried.length < sent.length; asked += 1) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      const answer = await api.get<List<'webhooks', Webhook>>(address).catch(() => null)
      const again = answer?.webhooks.filter(({ id }) => sent.some((one) => one.id === id)) ?? []
      tried = again.filter(({ status, attempt }) => status !== 'pending' || attempt !== null)
    }
    return tried
  }

  async function send(key: string, eventId: string, endpointId: string | null) {
    if (sending !== null) return
    setSending(key)
    try {
      const body = endpointId === null ? {} : { endpoint_id: endpointId }
      const answer = await resend.run('POST', `/events/${encodeURIComponent(eventId)}/resend`, body)
      if (answer === undefined) return
      await changed()
      tell(answer.webhooks, await triedOf(eventId, answer.webhooks))
      await changed()
    } finally {
      setSending(null)
    }
  }
  return { sending, error: resend.error, send }
}

function tell(sent: readonly Webhook[], tried: readonly Webhook[]): void {
  const failed = tried.find(({ status }) => status !== 'delivered')
  if (failed !== undefined) say(t('webhooks.again.failed', { reason: answerWords(failed) }), 'bad')
  else if (tried.length < sent.length) say(t('webhooks.again.open'), 'waiting')
  else say(t('webhooks.again.accepted'))
}

function answerWords({ response_code, failure_reason }: Webhook): string {
  return response_code === null
    ? failureWords(failure_reason ?? '')
    : t('webhooks.again.status', { status: response_code })
}
