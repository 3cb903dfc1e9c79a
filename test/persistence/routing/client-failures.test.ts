import { beforeEach, describe, expect, test } from '@jest/globals'
import { CLIENT_FAILURE_LIMITS } from '../../../domain/client-failures.ts'
import { NETWORK_LIMITS } from '../../../domain/network-limits.ts'
import { InvoiceEntity } from '../../../src/persistence/entities/invoice.ts'
import { ProjectEntity } from '../../../src/persistence/entities/project.ts'
import { VelocityRecordEntity } from '../../../src/persistence/entities/velocity-record.ts'
import { hasTooManyClientFailures } from '../../../src/persistence/queries/routing/velocity-records.ts'
import type { Scope } from '../../../src/persistence/queries/scope.ts'
import { transact } from '../../../src/persistence/transact.ts'
import { databaseForFile } from '../../support/payment-for-file.ts'
import { seedProject } from '../../webhooks/endpoint-seed.ts'
import { makeRows } from '../rows.ts'

const NOW = new Date('2026-11-21T12:00:00.000Z')
const HOUR_MS = 3_600_000
const FINGERPRINT = 'a'.repeat(64)

const database = databaseForFile()
let scope: Scope
let records = 0

// With the limits that a project has by default.
beforeEach(async () => {
  scope = { projectId: await seedProject(database.orm), sandbox: true }
})

interface Failures {
  cardFingerprint?: string
  isClientFailure?: boolean
  agoMs?: number
  of?: Scope
}

/** So many failed attempts of clients, a moment ago and with a card of its own each unless told otherwise. */
async function fail(count: number, { cardFingerprint, isClientFailure = true, agoMs = 1, of = scope }: Failures = {}) {
  const em = database.orm.em.fork()
  const invoiceId = `iv_${++records}`
  const row = { ...makeRows('failures').invoice, ...of, id: invoiceId }
  await em.insert(InvoiceEntity, { ...row, referenceId: null, customerId: null, tokenId: null })
  const at = new Date(NOW.getTime() - agoMs)
  const rows = Array.from({ length: count }, () => {
    const operationId = `tr_op_${++records}`
    const fingerprint = cardFingerprint ?? String(records).padStart(64, '0')
    const record = { operationId, ...of, invoiceId, cardFingerprint: fingerprint, cardIin: '42424242', isClientFailure }
    return { ...record, customerId: null, ipAddress: null, at, createdAt: at }
  })
  await em.insertMany(VelocityRecordEntity, rows)
}

async function isRefused(failedOfInvoice = 0, cardFingerprint: string | null = FINGERPRINT): Promise<boolean> {
  const counted = { cardFingerprint, failedOfInvoice, now: NOW }
  return (await transact(database.orm, (unit) => hasTooManyClientFailures(unit, scope, counted))).result
}

test('a new project has the limits that the domain names', async () => {
  const project = await database.orm.em.fork().findOneOrFail(ProjectEntity, { id: scope.projectId })
  expect(project).toMatchObject({ ...CLIENT_FAILURE_LIMITS, ...NETWORK_LIMITS })
})

describe('an attempt of a client is one too many', () => {
  test('for an invoice that ten have failed for', async () => {
    expect(await isRefused(9)).toBe(false)
    expect(await isRefused(10)).toBe(true)
  })

  test('with a card that ten have failed with within an hour', async () => {
    await fail(9, { cardFingerprint: FINGERPRINT })
    expect(await isRefused()).toBe(false)
    await fail(1, { cardFingerprint: FINGERPRINT })
    expect(await isRefused()).toBe(true)
    expect(await isRefused(0, 'b'.repeat(64))).toBe(false)
    expect(await isRefused(0, null)).toBe(false)
  })

  test('in a project in which a thousand have failed within an hour, whatever the card', async () => {
    await fail(999)
    expect(await isRefused()).toBe(false)
    await fail(1)
    expect(await isRefused()).toBe(true)
    expect(await isRefused(0, null)).toBe(true)
  })
})

describe('no attempt of a client counts', () => {
  test('an hour after it was made, to the millisecond', async () => {
    await fail(10, { cardFingerprint: FINGERPRINT, agoMs: HOUR_MS })
    await fail(990, { agoMs: HOUR_MS })
    expect(await isRefused()).toBe(false)
    await fail(9, { cardFingerprint: FINGERPRINT, agoMs: HOUR_MS - 1 })
    expect(await isRefused()).toBe(false)
    await fail(1, { cardFingerprint: FINGERPRINT, agoMs: HOUR_MS - 1 })
    expect(await isRefused()).toBe(true)
    expect(await isRefused(0, null)).toBe(false)
    await fail(990, { agoMs: HOUR_MS - 1 })
    expect(await isRefused(0, null)).toBe(true)
  })

  test('that has not failed, or was made in another project or environment', async () => {
    const others = [
      { ...scope, sandbox: false },
      { projectId: await seedProject(database.orm), sandbox: true },
    ]
    for (const of of others) await fail(1_000, { cardFingerprint: FINGERPRINT, of })
    await fail(1_000, { cardFingerprint: FINGERPRINT, isClientFailure: false })
    expect(await isRefused()).toBe(false)
  })
})
