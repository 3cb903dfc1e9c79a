import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { parser } from '@prometheus-io/lezer-promql'
import { parse } from 'yaml'
import { createMetrics } from '../../src/metrics/metrics.ts'
import { captureLog } from '../support/captured-log.ts'
import { fixedClock } from '../support/clock.ts'
import { makeDatabase } from '../support/database.ts'

const fileOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

interface Rule {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: { summary: string; runbook: string }
}
const { groups } = parse(fileOf('deploy/prometheus/alerts.yml')) as { groups: { name: string; rules: Rule[] }[] }
const RULES = groups.flatMap(({ rules }) => rules)

interface Panel {
  id: number
  type: string
  title: string
  gridPos: { x: number; w: number }
  targets?: { expr: string }[]
}
const { panels } = JSON.parse(fileOf('deploy/grafana/holdfast.json')) as { panels: Panel[] }
const QUERIES = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }): [string, string] => [title, expr]))

const EXPRESSIONS: [string, string][] = [
  ...RULES.map(({ alert, expr }): [string, string] => [alert, expr]),
  ...QUERIES.map(([title, expr]): [string, string] => [`panel ${title}`, expr.replaceAll('$__rate_interval', '5m')]),
]

/** Of Prometheus itself: whether it reached a process. */
const OF_PROMETHEUS = 'up'

/** What Prometheus would find wrong, and the metrics that are asked for. */
function read(expr: string): { errors: string[]; names: string[] } {
  const errors: string[] = []
  const names: string[] = []
  parser.parse(expr).iterate({
    enter({ name, type, from, to }) {
      if (type.isError) errors.push(`at ${from}: ${expr.slice(from)}`)
      if (name === 'Identifier') names.push(expr.slice(from, to))
    },
  })
  return { errors, names }
}

const PART_OF_HISTOGRAM = /_(bucket|sum|count)$/

/** The metrics that a process exports, with those of which it has no value yet. */
let exported: string[]
/** The library of the SDK: its metrics exist only when they have a value, and some have one only after a failure. */
let sdk: Buffer
let drop: () => Promise<void>

beforeAll(async () => {
  const database = await makeDatabase()
  drop = () => database.drop()
  const metrics = await createMetrics({ orm: database.orm, clock: fixedClock(), logger: captureLog().logger })
  const declared = [...(await metrics.text()).matchAll(/^# TYPE (\S+) (\S+)$/gm)]
  exported = declared.flatMap(([, name = '', type]) =>
    type === 'histogram' ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  )
  const bridge = dirname(createRequire(import.meta.url).resolve('@temporalio/core-bridge/package.json'))
  sdk = await readFile(join(bridge, 'releases/x86_64-unknown-linux-gnu/index.node'))
})
afterAll(() => drop())

/** As the SDK calls it, which adds prefix and units: see `installTemporalRuntime`. */
function isOfSdk(name: string): boolean {
  const [, own] = /^temporal_(\w+?)(_seconds)?(_bucket|_sum|_count|_total)?$/.exec(name) ?? []
  return own !== undefined && sdk.includes(own)
}

describe.each(EXPRESSIONS)('the expression of %s', (_, expr) => {
  test('can be read by Prometheus', () => {
    expect(read(expr).errors).toEqual([])
  })

  test('asks for metrics that a process exports', () => {
    const { names } = read(expr)
    expect(names.length).toBeGreaterThan(0)
    const isKnown = (name: string) => name === OF_PROMETHEUS || exported.includes(name) || isOfSdk(name)
    expect(names.filter((name) => !isKnown(name))).toEqual([])
  })
})

test('a metric that nobody exports is found', () => {
  expect(exported).not.toContain('holdfast_payments_lost')
  expect(isOfSdk('temporal_payments_lost_total')).toBe(false)
  expect(read('sum by (a (b)').errors).not.toEqual([])
})

describe('an alert', () => {
  /** As GitHub makes them. */
  const anchors = [...fileOf('docs/runbook.md').matchAll(/^##+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )

  test.each(RULES.map((rule): [string, Rule] => [rule.alert, rule]))('%s says what to do', (_, rule) => {
    const [page, anchor] = rule.annotations.runbook.split('#')
    expect(page).toBe('docs/runbook.md')
    expect(anchors).toContain(anchor)
    expect(rule.annotations.summary).toMatch(/\S/)
    expect(['page', 'ticket']).toContain(rule.labels.severity)
  })
})

test('what is not there is told: a process, every API, every worker, every reading of the backlog', () => {
  const expressions = RULES.map(({ expr }) => expr).join('\n')
  const job = /job_name: (\w+)/.exec(fileOf('docs/operations.md'))?.[1]
  expect(expressions).toContain(`up{job="${job}"} == 0`)
  for (const metric of ['http_request_duration_seconds_count', 'backlog_read_timestamp_seconds'])
    expect(expressions).toContain(`absent(holdfast_${metric})`)
  expect(expressions).toContain('absent(temporal_num_pollers')
})

test('payments that need attention lead to what that means', () => {
  const runbookOf = (name: string) => RULES.find(({ alert }) => alert === name)?.annotations.runbook
  expect(runbookOf('HoldfastPaymentNeedsAttention')).toBe('docs/runbook.md#what-needs-attention')
})

test('docs/operations.md lists every metric of ours, and no other', () => {
  const [, metrics = ''] = /^## Metrics$(.*?)^## /ms.exec(fileOf('docs/operations.md')) ?? []
  const named = [...metrics.matchAll(/`(holdfast_\w+)`/g)].map(([, name]) => name)
  const ours = exported.filter((name) => name.startsWith('holdfast_') && !PART_OF_HISTOGRAM.test(name))
  expect(named.toSorted()).toEqual(ours.toSorted())
})
