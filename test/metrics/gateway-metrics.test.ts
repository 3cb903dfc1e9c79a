import { beforeEach, describe, expect, test } from '@jest/globals'
import { Registry } from 'prom-client'
import type { LookUp, Outcome } from '../../domain/operation.ts'
import type { AuthorizeRequest, Gateway, LookUpRequest } from '../../src/gateways/gateway.ts'
import { createGatewayMetrics, type GatewayMetrics } from '../../src/metrics/gateway-metrics.ts'
import { createWebhookMetrics } from '../../src/metrics/webhook-metrics.ts'
import type { OutgoingWebhook } from '../../src/webhooks/send.ts'
import { APPROVED, DECLINED, FOUND, SHUT, TIMED_OUT, UNREACHABLE } from '../gateways/guard/stage.ts'
import { type AdjustableClock, fixedClock } from '../support/clock.ts'

const MINUTE = 60_000

let registry: Registry
let clock: AdjustableClock
let metrics: GatewayMetrics
beforeEach(() => {
  registry = new Registry()
  clock = fixedClock()
  metrics = createGatewayMetrics(registry, clock)
})

const linesOf = async (name: string) => (await registry.metrics()).split('\n').filter((line) => line.startsWith(name))
const { signal } = new AbortController()

describe('a measured gateway', () => {
  const counts = async () => (await linesOf('holdfast_gateway_call_duration_seconds_count')).toSorted()
  const measured = (answers: Partial<Gateway>) => metrics.measure({ name: 'played', ...answers } as Gateway)
  const count = (operation: string, outcome: string) =>
    `holdfast_gateway_call_duration_seconds_count{gateway="played",operation="${operation}",outcome="${outcome}"} 1`

  test.each<[Outcome, string]>([
    [APPROVED, 'approved'],
    [DECLINED, 'declined'],
    [SHUT, 'not_sent'],
    [TIMED_OUT, 'unknown'],
    [{ kind: 'pending', gatewayOperationId: 'theirs' }, 'pending'],
  ])('answers as the gateway does, and counts %p as %s', async (outcome, label) => {
    const gateway = measured({ authorize: async () => outcome })
    expect(await gateway.authorize({} as AuthorizeRequest, signal)).toBe(outcome)
    expect(await counts()).toEqual([count('authorize', label)])
  })

  test('throws what the gateway throws, and counts it', async () => {
    const defect = new Error('a defect')
    const gateway = measured({ authorize: () => Promise.reject(defect) })
    await expect(gateway.authorize({} as AuthorizeRequest, signal)).rejects.toBe(defect)
    expect(await counts()).toEqual([count('authorize', 'thrown')])
  })

  test.each<[LookUp, string]>([
    [FOUND, 'approved'],
    [UNREACHABLE, 'unreachable'],
    [{ kind: 'never-seen' }, 'never_seen'],
  ])('counts the look-up %p as %s', async (found, label) => {
    const gateway = measured({ lookUp: async () => found })
    expect(await gateway.lookUp({} as LookUpRequest, signal)).toBe(found)
    expect(await counts()).toEqual([count('look_up', label)])
  })

  test('has no call that the gateway does not have', () => {
    const gateway = measured({})
    expect(gateway.continueAuthorization).toBeUndefined()
    expect(gateway.endAuthentication).toBeUndefined()
  })
})

describe('an open circuit', () => {
  const changed = (state: 'open' | 'half-open' | 'closed') =>
    metrics.circuitChanged('stripe', {
      gatewayConfigurationId: 'gway_conf_1',
      state,
      reason: 'No answer.',
      changedAt: clock.now(),
    })
  const circuits = () => linesOf('holdfast_gateway_circuit_open')
  const OPEN = 'holdfast_gateway_circuit_open{gateway="stripe",gateway_configuration="gway_conf_1"} 1'

  test('is shown until it is closed', async () => {
    expect(await circuits()).toEqual([])
    changed('open')
    expect(await circuits()).toEqual([OPEN])
    changed('half-open')
    expect(await circuits()).toEqual([OPEN])
    changed('closed')
    expect(await circuits()).toEqual([])
  })

  test('is not shown any more when nothing has been tried for five minutes: the next payment passes', async () => {
    changed('open')
    clock.advance(5 * MINUTE)
    expect(await circuits()).toEqual([OPEN])
    clock.advance(1)
    expect(await circuits()).toEqual([])
  })
})

test('attempts of webhooks are counted by environment and by why they failed, without their address', async () => {
  const result = { delivered: false, status: 500, responseTimeMs: 40, excerpt: null, retryAt: null }
  const sender = createWebhookMetrics(registry)({
    send: async ({ environment }) => ({ ...result, reason: environment === 'live' ? null : 'http_status' }),
  })
  await sender.send({ url: 'https://shop.example/hook', environment: 'live' } as OutgoingWebhook)
  await sender.send({ url: 'https://shop.example/hook', environment: 'sandbox' } as OutgoingWebhook)
  expect(await linesOf('holdfast_webhook_attempt_duration_seconds_count')).toEqual([
    'holdfast_webhook_attempt_duration_seconds_count{environment="live",outcome="delivered"} 1',
    'holdfast_webhook_attempt_duration_seconds_count{environment="sandbox",outcome="http_status"} 1',
  ])
  expect(await registry.metrics()).not.toContain('shop.example')
})
