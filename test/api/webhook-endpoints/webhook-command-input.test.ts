import { expect, test } from '@jest/globals'
import { readRecovery, readResend, readRotation } from '../../../src/api/webhook-endpoints/webhook-command-input.ts'
import { expectRefused, jsonBody, NOW } from '../refusals.ts'

test.each<[field: string, fields: Record<string, unknown>]>([
  ['since', {}],
  ['since', { since: '' }],
  ['since', { since: 'yesterday' }],
  ['since', { since: '2026-11-21' }],
  ['since', { since: '2026-11-21T09:00:00Z' }],
  ['since', { since: '2026-11-21T00:00:00Z', until: '2026-11-21T01:00:00+01:00' }],
  ['until', { since: '2020-01-01T00:00:00Z', until: 'now' }],
  ['since', { since: '0000-12-31T23:59:59Z' }],
  ['since', { since: '0001-01-01T00:00:00+00:01' }],
  ['until', { since: '2020-01-01T00:00:00Z', until: '9999-12-31T23:59:59-00:01' }],
])('a recovery is refused for its %s: %j', (field, fields) => {
  expectRefused(() => readRecovery(jsonBody(fields), NOW), field, 'invalid-date')
})

test.each([-1, 1.5, 'soon', 604_801])('a previous secret does not sign for %j seconds', (seconds) => {
  expectRefused(() => readRotation(jsonBody({ previous_expires_in: seconds })), 'previous_expires_in', 'error')
})

test('a previous secret signs for a day, or for as long as is asked for, up to a week', () => {
  expect(readRotation(jsonBody({}))).toEqual({ previousExpiresIn: 86_400 })
  expect(readRotation(jsonBody({ previous_expires_in: 604_800 }))).toEqual({ previousExpiresIn: 604_800 })
})

test('an event is not sent to all endpoints where the id of one was lost on the way', () => {
  expectRefused(() => readResend(jsonBody({ endpoint_id: '' })), 'endpoint_id', 'error')
  expectRefused(() => readResend(jsonBody({ endpoint_id: 'x' })), 'endpoint_id', 'resource.webhook-endpoint.not-found')
})
