import type { Caller } from '../../http/context.ts'
import { columnsOf } from '../../http/input/columns.ts'
import { defineInput, givenFields, readInput } from '../../http/input/input.ts'
import { webhookTargetProblems } from '../../http/input/webhook-target.ts'
import type { ParsedBody } from '../../http/middleware/body.ts'
import { webhookEndpointInput } from '../../objects/webhook-endpoint.ts'
import type { WebhookEndpointRow } from '../../persistence/entities/webhook-endpoint.ts'
import type { TargetRule } from '../../webhooks/target-problem.ts'

export const NEW_ENDPOINT = defineInput(webhookEndpointInput)

export const ENDPOINT_CHANGES = defineInput((scalars) => {
  const { url, ...others } = webhookEndpointInput(scalars)
  return { url: url.optional(), ...others }
})

type Columns = Pick<WebhookEndpointRow, 'url' | 'description' | 'eventsWhitelist' | 'enabled' | 'signWithEd25519'>

/** A new endpoint; by default it takes all events and is enabled. */
export function readNewEndpoint(body: ParsedBody, caller: Caller, rule: TargetRule): Columns {
  const input = readInput(NEW_ENDPOINT, body, (fields) => webhookTargetProblems(fields, 'url', caller, rule))
  return columnsOf({ ...input, enabled: input.enabled ?? true, sign_with_ed25519: input.sign_with_ed25519 ?? false })
}

/** The changes of an endpoint. */
export function readEndpointChanges(body: ParsedBody, caller: Caller, rule: TargetRule): Partial<Columns> {
  const input = readInput(ENDPOINT_CHANGES, body, (fields) => webhookTargetProblems(fields, 'url', caller, rule))
  return columnsOf(givenFields(input, body))
}
