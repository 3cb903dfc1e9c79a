import { describe, expect, test } from '@jest/globals'
import type { NotificationReading } from '../../../src/gateways/gateway.ts'
import type { Arrival } from './harness.ts'
import { expectWhole } from './outcomes.ts'
import type { Stage } from './stage.ts'

/** Every so many bytes one is changed: enough to hit each part of a short body. */
const STEP_BYTES = 7

const NO_NOTIFICATIONS = ['', '{', 'null', '[]', '{}', '"approved"', '\u0000', '<xml/>'] as const

export function describeNotifications(stage: Stage): void {
  const read = (
    { rawBody, headers }: Arrival,
    credentials = stage.harness.access.credentials,
  ): NotificationReading | undefined =>
    stage.gateway.readNotification?.(rawBody, headers, { ...stage.harness.access, credentials })

  describe('a notification', () => {
    test('can be read exactly where the harness brings some', () => {
      expect(stage.gateway.readNotification !== undefined).toBe(stage.harness.notifications !== null)
    })

    test('is refused where one byte of it was changed, or its proof is missing', () => {
      const { notifications } = stage.harness
      if (notifications === null) return
      const known = notifications.known()

      for (let at = 0; at < known.rawBody.length; at += STEP_BYTES) {
        const rawBody = known.rawBody.slice()
        rawBody[at] = (rawBody[at] ?? 0) ^ 1
        const reading = read({ ...known, rawBody })
        // Where the proof is over the values alone, a change of what is not covered says the same as before, or less.
        if (reading?.kind === 'accepted') expectNothingMoreThan(reading, read(known))
      }
      const text = new TextDecoder().decode(known.rawBody)
      const unsigned = new TextEncoder().encode(text.replace(/"hmacSignature":"[^"]*"/, '"hmacSignature":""'))
      expect(read({ rawBody: unsigned, headers: {} })).toMatchObject({ kind: 'refused' })
    })

    test('is refused where no secret is configured, or another one', () => {
      const { notifications, access } = stage.harness
      if (notifications === null) return
      const others = Object.fromEntries(
        Object.entries(access.credentials).map(([name, value]) => [name, [...value].reverse().join('')]),
      )

      expect(read(notifications.known(), {})).toMatchObject({ kind: 'refused' })
      expect(read(notifications.known(), others)).toMatchObject({ kind: 'refused' })
    })

    test.each(NO_NOTIFICATIONS)('that is %j is refused, and nothing is thrown', (text) => {
      const { notifications } = stage.harness
      if (notifications === null) return

      const { headers } = notifications.known()
      expect(read({ rawBody: new TextEncoder().encode(text), headers })).toMatchObject({ kind: 'refused' })
    })

    test('that is proven is read the same as often as it comes, under an id that stays', () => {
      const { notifications } = stage.harness
      if (notifications === null) return
      const known = notifications.known()

      const first = accepted(read(known))

      expect(first.notifications).toMatchObject([
        { kind: 'outcome', type: 'authorization', gatewayNotificationId: expect.stringMatching(/./) },
      ])
      expect(read(known)).toEqual(first)
    })

    test('of an event or a status that nobody has heard of approves nothing, and throws nothing', () => {
      const { notifications } = stage.harness
      if (notifications === null) return
      const invented = notifications.invented()
      expect(invented.length).toBeGreaterThan(0)

      for (const arrival of invented) {
        const reading = read(arrival)
        expect(reading).toMatchObject({ kind: expect.stringMatching(/^(accepted|refused)$/) })
        expect(JSON.stringify(reading)).not.toContain('"kind":"approved"')
      }
      // What is new to us is no reason for the gateway to send it again and again.
      accepted(read(invented[0] as Arrival))
    })
  })
}

function accepted(reading: NotificationReading | undefined) {
  if (reading?.kind !== 'accepted')
    throw new Error(`Expected the notification to be accepted, got ${JSON.stringify(reading)}.`)
  return reading
}

/** Says nothing that the true notification does not say, about money least of all. */
function expectNothingMoreThan(
  reading: NotificationReading & { kind: 'accepted' },
  truth: NotificationReading | undefined,
): void {
  const [said] = reading.notifications
  const [known] = truth?.kind === 'accepted' ? truth.notifications : []
  if (said === undefined) return
  if (said.kind !== 'outcome' || known?.kind !== 'outcome')
    throw new Error('A changed notification tells other things.')
  if (said.outcome !== null) expectWhole(said.outcome)
  const { kind, type, reference, gatewayAuthorizationId, outcome } = said
  const { amountMinor, currency, gatewayOperationId } = outcome?.kind === 'approved' ? outcome : {}
  expect({ kind, type, reference, gatewayAuthorizationId }).toEqual({
    kind: known.kind,
    type: known.type,
    reference: known.reference,
    gatewayAuthorizationId: known.gatewayAuthorizationId,
  })
  if (outcome?.kind === 'approved')
    expect(known.outcome).toMatchObject({ kind: 'approved', amountMinor, currency, gatewayOperationId })
}
