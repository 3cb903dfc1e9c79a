import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { parse } from 'yaml'
import { readConfig, SETTING_NAMES } from '../../src/config.ts'
import { DRAIN_MS } from '../../src/http/server/http-server.ts'
import { KEY_VARIABLES } from '../../src/keys/keys-file.ts'
import { TASK_QUEUES } from '../../src/temporal/task-queues.ts'
import { SHUTDOWN_FORCE_MS } from '../../src/temporal/workers.ts'

/** `npm run check:chart` lints and renders the chart with helm, which takes minutes to build; this takes nothing. */

const read = (file: string) => readFileSync(new URL(`../../deploy/helm/holdfast/${file}`, import.meta.url), 'utf8')
const chart = parse(read('Chart.yaml')) as { version: string; appVersion: string }
const values = parse(read('values.yaml')) as Record<'api' | 'worker', { terminationGracePeriodSeconds: number }> & {
  settings: Record<string, string>
}
/** What a value of `settings` may be, as the schema has it. */
interface Rule {
  type?: string | string[]
  enum?: unknown[]
  pattern?: string
  minimum?: number
  maximum?: number
}
const schema = JSON.parse(read('values.schema.json')) as {
  properties: Record<string, { propertyNames: { enum: string[] }; properties: Record<string, Rule> }>
}
const helpers = read('templates/_helpers.tpl')

describe('the chart', () => {
  test('is of the version of the service', () => {
    const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
    const { version } = JSON.parse(manifest) as { version: string }
    expect(chart).toMatchObject({ version, appVersion: version })
  })

  test('gives API and worker the time that they take to stop', () => {
    const delayMs = 1000 * Number(values.settings.SHUTDOWN_DELAY_SECONDS)
    expect(delayMs).toBeGreaterThan(0)
    const graceMs = (part: 'api' | 'worker') => 1000 * values[part].terminationGracePeriodSeconds
    expect(graceMs('api')).toBeGreaterThan(DRAIN_MS + delayMs)
    expect(graceMs('worker')).toBeGreaterThan(SHUTDOWN_FORCE_MS)
  })

  test('knows every setting of API and worker but those of a service on a desk', () => {
    const secret = ['DATABASE_URL', 'TEMPORAL_API_KEY', ...KEY_VARIABLES]
    const ownOfChart = [
      'HOST',
      'PORT',
      'WORKER_HEALTH_PORT',
      'WORKER_ROLLOUT',
      'METRICS_HOST',
      'METRICS_PORT',
      'DATA_DIR',
    ]
    const embedded = ['TEMPORAL_PORT', 'TEMPORAL_UI_PORT', 'POSTGRES_PORT', 'TEMPORAL_CLI_PATH']
    const ofADesk = ['SANDBOX_STRIPE_URL', 'SANDBOX_ADYEN_URL']
    const codecServer = SETTING_NAMES.filter((name) => name.startsWith('CODEC_'))
    const files = SETTING_NAMES.filter((name) => /_(FILE|PATH)$/.test(name))
    const others = new Set([...secret, ...ownOfChart, ...embedded, ...ofADesk, ...codecServer, ...files])
    const settings = schema.properties.settings?.propertyNames.enum ?? []
    expect(settings.toSorted()).toEqual(SETTING_NAMES.filter((name) => !others.has(name)).toSorted())
    const mounted = [...helpers.matchAll(/TEMPORAL_TLS_\w+_PATH/g)].map(([name]) => name)
    expect(mounted.toSorted()).toEqual(files.filter((name) => name.startsWith('TEMPORAL_TLS')).toSorted())
  })

  /** Of the kinds that there are, on both sides of every bound. */
  const PROBES = [
    ...[-1, 0, 1, 6, 7, 9, 10, 71, 72, 77, 99, 100, 299, 300, 301, 365, 366, 699, 720, 721, 3599, 3650, 3651],
    ...['true', 'false', 'on', 'off', 'yes', 'info', 'verbose', 'prod', 'prod.a1b2c', '-live', 'a b', 'temporal:7233'],
    ...[
      '[::1]:7233',
      'http://temporal:7233',
      'https://pay.shop.example/x',
      'ftp://shop.example',
      'https://',
      'shop.example',
    ],
  ].map(String)

  test.each(schema.properties.settings?.propertyNames.enum ?? [])('takes of %s what a process takes', (name) => {
    const rule = schema.properties.settings?.properties[name]
    const isTaken = (value: string) => {
      const isListed = rule?.enum?.includes(value) ?? true
      return isListed && new RegExp(rule?.pattern ?? '').test(value)
    }
    const starts = (value: string) => {
      try {
        return readConfig({ TEMPORAL_ADDRESS: 'temporal:7233', [name]: value }) !== undefined
      } catch {
        return false
      }
    }
    expect(PROBES.filter(isTaken)).toEqual(PROBES.filter(starts))
    // `--set` makes a number of what looks like one, for which a pattern does not hold.
    if (!rule?.type?.includes('integer')) return
    const isWithin = (value: string) => Number(value) >= Number(rule.minimum) && Number(value) <= Number(rule.maximum)
    const numbers = PROBES.filter((value) => /^-?\d+$/.test(value))
    expect(numbers.filter(isWithin)).toEqual(numbers.filter(starts))
  })

  test('hands over every secret as a file', () => {
    const [, list = ''] = /\$secrets := list (.*?) \}\}/.exec(helpers) ?? []
    expect(list.replaceAll('"', '').split(' ').toSorted()).toEqual(['DATABASE_URL', ...KEY_VARIABLES].toSorted())
    expect(helpers).toContain('append $secrets "TEMPORAL_API_KEY"')
  })

  test('adds workers by the backlog of every task queue', () => {
    const [, list = ''] = /\$queue := list (.*?) \}\}/.exec(read('templates/worker.yaml')) ?? []
    expect(list.replaceAll('"', '').split(' ').toSorted()).toEqual(Object.values(TASK_QUEUES).toSorted())
  })
})
