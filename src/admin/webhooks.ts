import { systemClock } from '../clock.ts'
import { recordAct } from '../persistence/queries/audit/record-act.ts'
import { resendEvent } from '../persistence/queries/webhooks/resend-event.ts'
import { StartupError } from '../startup-error.ts'
import { defineCommand, REASON_OPTION, reasonIn } from './command.ts'
import { eventFrom, inDatabase } from './database.ts'

export const resendWebhookCommand = defineCommand<{ reason?: string; endpoint?: string }>({
  name: 'webhooks resend',
  operands: '<EVENT_ID>',
  summary: 'Sends an event again, with a schedule of its own, to all endpoints that take it or to one of them.',
  details: 'The workers begin within a minute. An event is not sent to an endpoint that is disabled.',
  options: [REASON_OPTION, ['--endpoint <ENDPOINT_ID>', 'only there']],
  async run([operand = ''], { say, values, actor }) {
    const reason = reasonIn(values)
    const endpointId = values.endpoint ?? null
    const { eventId, run } = await inDatabase(async (em) => {
      const { id: eventId, projectId, sandbox } = await eventFrom(em, operand)
      const deliveries = await resendEvent(em, { projectId, sandbox }, { eventId, endpointId, now: systemClock.now() })
      const [first] = deliveries
      if (first === undefined) throw new StartupError(`No enabled endpoint takes ${eventId}.`)
      const facts = { event_id: eventId, webhook_endpoint_id: endpointId, run: first.run, reason }
      await recordAct(em, { projectId, sandbox, kind: 'event.resent', actor, facts })
      return { eventId, run: first.run }
    })
    say(`${eventId} is sent again, by the workflow webhook-${eventId}-${run}.`)
  },
})
