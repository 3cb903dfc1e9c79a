import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, posix } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  type ImportGraph,
  loadedBy,
  type PlantedTree,
  PROJECT,
  plantTree,
  readImportGraph,
} from './support/import-graph.ts'
import { server } from './support/servers.ts'

/** For each rule a file that breaks it. */
const VIOLATIONS: Record<string, [file: string, code: string]> = {
  'domain-imports': ['domain/uses-node.ts', "import 'node:crypto'"],
  'domain-imports-types': ['domain/types-of-package.ts', "import type { Logger } from 'pino'"],
  'workflows-imports': ['workflows/loads-mixed.ts', "import { a, type B } from '../activities/index.ts'"],
  'workflows-imports-types': ['workflows/src-type.ts', "let a: import('../src/clock.ts').Clock"],
  'activities-imports': ['activities/loads-http.ts', "import '../src/http/router.ts'"],
  'activities-imports-types': ['activities/http-type.ts', "import type { A } from '../src/http/router.ts'"],
  'gateways-imports': ['src/gateways/loads-database.ts', "import '../persistence/orm.ts'"],
  'gateways-imports-types': ['src/gateways/database-type.ts', "import type { O } from '../persistence/orm.ts'"],
  'vault-imports': ['src/vault/loads-database.ts', "import '../persistence/orm.ts'"],
  'vault-imports-types': ['src/vault/row-type.ts', "import type { O } from '../persistence/orm.ts'"],
  'persistence-imports': ['src/persistence/loads-http.ts', "import '../http/router.ts'"],
  'persistence-imports-types': ['src/persistence/http-type.ts', "import type { A } from '../http/router.ts'"],
  'database-imports': ['src/database/loads-queries.ts', "import '../persistence/rows.ts'"],
  'database-imports-types': ['src/database/http-type.ts', "import type { A } from '../http/router.ts'"],
  'idempotency-imports': ['src/idempotency/loads-http.ts', "import '../http/router.ts'"],
  'idempotency-imports-types': ['src/idempotency/http-type.ts', "import type { A } from '../http/router.ts'"],
  'webhooks-imports': ['src/webhooks/loads-http.ts', "import '../http/router.ts'"],
  'webhooks-imports-types': ['src/webhooks/http-type.ts', "import type { A } from '../http/router.ts'"],
  'routing-imports': ['src/routing/loads-http.ts', "import '../http/router.ts'"],
  'routing-imports-types': ['src/routing/http-type.ts', "import type { A } from '../http/router.ts'"],
  'rate-limit-imports': ['src/rate-limit/loads-http.ts', "import '../http/router.ts'"],
  'rate-limit-imports-types': ['src/rate-limit/http-type.ts', "import type { A } from '../http/router.ts'"],
  'audit-imports': ['src/audit/opens-vault.ts', "import '../vault/vault.ts'"],
  'audit-imports-types': ['src/audit/http-type.ts', "import type { A } from '../http/router.ts'"],
  'temporal-imports': ['src/temporal/loads-workflow.ts', "import '../../workflows/payment.ts'"],
  'temporal-imports-types': ['src/temporal/http-type.ts', "import type { A } from '../http/router.ts'"],
  'codec-imports': ['src/codec/reads-rows.ts', "import '../persistence/orm.ts'"],
  'codec-imports-types': ['src/codec/row-type.ts', "import type { O } from '../persistence/orm.ts'"],
  'api-imports': ['src/api/runs-activity.ts', "import '../../activities/index.ts'"],
  'api-imports-types': ['src/api/activity-type.ts', "import type { A } from '../../activities/index.ts'"],
  'dashboard-imports': ['src/dashboard/runs-activity.ts', "import '../../activities/index.ts'"],
  'dashboard-imports-types': ['src/dashboard/activity-type.ts', "import type { A } from '../../activities/index.ts'"],
  'pages-imports': ['src/pages/runs-activity.ts', "import '../../activities/index.ts'"],
  'pages-imports-types': ['src/pages/activity-type.ts', "import type { A } from '../../activities/index.ts'"],
  'objects-imports': ['src/objects/asks.ts', "import '../http/router.ts'"],
  'objects-imports-types': ['src/objects/orm-type.ts', "import type { O } from '../persistence/orm.ts'"],
  'http-imports': ['src/http/runs-activity.ts', "import '../../activities/index.ts'"],
  'http-imports-types': ['src/http/activity-type.ts', "import type { A } from '../../activities/index.ts'"],
  'embedded-imports': ['src/embedded/loads-database.ts', "import '../persistence/orm.ts'"],
  'embedded-imports-types': ['src/embedded/orm-type.ts', "import type { O } from '../persistence/orm.ts'"],
  'instruments-imports': ['src/logger.ts', "import './persistence/orm.ts'"],
  'instruments-imports-types': ['src/clock.ts', "import type { O } from './persistence/orm.ts'"],
  'configuration-imports': ['src/config.ts', "import './http/router.ts'"],
  'configuration-imports-types': ['src/shutdown.ts', "import type { A } from './http/router.ts'"],
  'keys-imports': ['src/keys/loads-http.ts', "import '../http/router.ts'"],
  'keys-imports-types': ['src/keys/core-type.ts', "import type { C } from '../processes/core.ts'"],
  'books-imports': ['src/books/calls-gateway.ts', "import '../gateways/stripe/adapter.ts'"],
  'books-imports-types': ['src/books/http-type.ts', "import type { A } from '../http/router.ts'"],
  'tracing-imports': ['src/tracing/reads.ts', "import '../persistence/orm.ts'"],
  'tracing-imports-types': ['src/tracing/row-type.ts', "import type { A } from '../persistence/orm.ts'"],
  'metrics-imports': ['src/metrics/sends.ts', "import '../webhooks/send.ts'"],
  'metrics-imports-types': ['src/metrics/vault-type.ts', "import type { A } from '../vault/vault.ts'"],
  'sweeps-imports': ['src/sweeps/runs-activity.ts', "import '../../activities/index.ts'"],
  'sweeps-imports-types': ['src/sweeps/http-type.ts', "import type { A } from '../http/router.ts'"],
  'admin-imports': ['src/admin/loads-http.ts', "import '../http/router.ts'"],
  'admin-imports-types': ['src/admin/http-type.ts', "import type { A } from '../http/router.ts'"],
  'entry-points-imports': ['src/worker.ts', "import '../workflows/index.ts'"],
  'entry-points-imports-types': ['src/server.ts', "import type { A } from '../test/support/a.ts'"],
  'browser-client-imports': ['clients/browser/loads-server.ts', "import '../../src/http/router.ts'"],
  'browser-client-imports-types': ['clients/browser/clock-type.ts', "import type { A } from '../../src/clock.ts'"],
  'node-client-imports': ['clients/node/reads-domain.ts', "import '../../domain/money.ts'"],
  'node-client-imports-types': ['clients/node/domain-type.ts', "import type { P } from '../../domain/payment.ts'"],
  'command-line-imports': ['clients/cli/own-transport.ts', "import '../node/src/transport.ts'"],
  'command-line-imports-types': ['clients/cli/server-type.ts', "import type { A } from '../../src/http/router.ts'"],
  'dashboard-client-imports': ['clients/dashboard/loads-server.ts', "import '../../src/http/router.ts'"],
  'dashboard-client-imports-types': [
    'clients/dashboard/app-type.ts',
    "import type { A } from '../../src/http/router.ts'",
  ],
  'clients-imports': ['clients/reads-domain.ts', "import '../domain/money.ts'"],
  'clients-imports-types': ['clients/domain-type.ts', "import type { P } from '../domain/payment.ts'"],
  'demo-imports': ['demo/reads-domain.ts', "import '../domain/money.ts'"],
  'demo-imports-types': ['demo/client-type.ts', "import type { A } from '../clients/browser/a.ts'"],
  'examples-imports': ['examples/reads-client.ts', "import '../clients/node/src/index.ts'"],
  'examples-imports-types': ['examples/domain-type.ts', "import type { A } from '../domain/a.ts'"],
  'stand-ins-imports': ['stand-ins/calls-adapter.ts', "import '../src/gateways/stripe/adapter.ts'"],
  'stand-ins-imports-types': ['stand-ins/port-type.ts', "import type { A } from '../src/gateways/gateway.ts'"],
  'outside-imports': ['test/loads-tool.ts', "import '../tools/inner.ts'"],
  'outside-imports-types': ['test/tool-type.ts', "import type { A } from '../tools/inner.ts'"],
  'every-file-has-a-room': ['src/helpers/format.ts', "import '../clock.ts'"],
  'nothing-imports-an-entry-point': ['test/starts.ts', "import '../src/api.ts'"],
  'only-entry-points-wire': ['src/http/wires.ts', "import '../processes/core.ts'"],
  'nothing-imports-the-commands-of-operators': ['test/keys/runs.ts', "import '../../src/admin/commands.ts'"],
  'api-runs-no-activities': ['src/api.ts', "import '../activities/index.ts'"],
  'records-know-no-gateway': ['activities/payment/records/calls.ts', "import '../call-gateway.ts'"],
  'adapters-do-not-know-each-other': ['src/gateways/first/a.ts', "import '../second/a.ts'"],
  'registry-knows-no-adapter': ['src/gateways/registry.ts', "import './first/adapter.ts'"],
  'embedded-servers-are-for-entry-points': ['src/http/embeds.ts', "import '../embedded/postgres.ts'"],
  'no-cycles': ['domain/chicken.ts', "import type { A } from './egg.ts'"],
  'no-development-dependency-in-production': ['src/processes/tests.ts', "import 'fast-check'"],
  'only-listed-dependencies': ['test/unlisted.ts', "import 'semver'"],
  'no-unresolvable-import': ['test/unresolvable.ts', "import 'there-is-no-such-package'"],
}

/** Imports of types, allowed where an import that loads code is not. */
const ALLOWED: [file: string, code: string][] = [
  ['workflows/types-only.ts', "import type { A } from '../activities/index.ts'"],
  ['workflows/inline-types.ts', "import { type A } from '../activities/index.ts'"],
  ['activities/inputs.ts', "import type { A } from '../workflows/inputs.ts'"],
  ['src/temporal/names.ts', "import '../../workflows/messages.ts'; import type { W } from '../../workflows/a.ts'"],
]

describe('the import rules', () => {
  let planted: PlantedTree
  let found: ImportGraph

  beforeAll(async () => {
    planted = plantTree(
      withTargets([
        ...Object.values(VIOLATIONS),
        ...ALLOWED,
        ['domain/egg.ts', "import type { A } from './chicken.ts'"],
      ]),
    )
    found = await readImportGraph(planted.folder)
  })
  afterAll(() => planted.remove())

  test('are those that are tried here', () => {
    expect(found.rules.toSorted()).toEqual(Object.keys(VIOLATIONS).toSorted())
  })

  test.each(Object.entries(VIOLATIONS).map(([rule, [file]]) => [rule, file]))('%s is broken by %s', (rule, file) => {
    expect(found.violations.filter(({ from }) => from === file).map(({ rule }) => rule)).toContain(rule)
  })

  test.each(ALLOWED)('%s breaks none', (file) => {
    expect(found.violations.filter(({ from }) => from === file)).toEqual([])
  })
})

describe('the tree', () => {
  let tree: ImportGraph

  beforeAll(async () => {
    tree = await readImportGraph(PROJECT)
  })

  test('keeps every import rule', () => {
    expect(tree.violations).toEqual([])
  })

  test('is seen whole', () => {
    expect(tree.files).toEqual(
      expect.arrayContaining(['domain/payment.ts', 'workflows/index.ts', 'activities/index.ts', 'src/server.ts']),
    )
    expect(tree.edges).toContainEqual({
      from: 'workflows/activity-options.ts',
      to: 'activities/index.ts',
      isTypeOnly: true,
    })
  })

  test('has no files that load each other', () => {
    const loads = tree.edges.filter(({ isTypeOnly, to }) => !isTypeOnly && !to.startsWith('node_modules/'))
    expect(loads.filter(({ from, to }) => loadedBy(tree, to).has(from))).toEqual([])
  })

  test('loads nothing but domain and the Temporal library into workflows', () => {
    const beyond = [...loadedBy(tree, 'workflows/index.ts')].filter((file) => !/^(workflows|domain)\//.test(file))
    expect(beyond).toEqual(['node_modules/@temporalio/workflow/lib/index.js'])
  })

  test('loads no file that the image does not have', () => {
    const dockerfile = readFileSync(join(PROJECT, 'Dockerfile'), 'utf8')
    const copied = [...dockerfile.matchAll(/^COPY (?!--from|package\.json|\. \.)(.+) \S+$/gm)].flatMap(
      ([, paths = '']) => paths.split(' '),
    )
    const programs = ['admin', 'api', 'codec-server', 'keys', 'migrate', 'server', 'worker'].map(
      (name) => `src/${name}.ts`,
    )
    const loaded = new Set(programs.flatMap((program) => [...loadedBy(tree, program)]))
    expect(loaded).toContain('src/processes/app.ts')
    const isThere = (file: string) => copied.some((path) => file === path || file.startsWith(`${path}/`))
    expect([...loaded].filter((file) => /^(?!node_modules).*\.ts$/.test(file) && !isThere(file))).toEqual([])
  })

  test('loads no activity, no gateway adapter and no embedded server into the API process at its start', () => {
    // The first test of a connection loads the adapters, which a person asks for.
    const atStart = tree.edges.filter(({ to }) => to !== 'src/processes/adapters.ts')
    const loaded = [...loadedBy({ ...tree, edges: atStart }, 'src/api.ts')]
    expect(loaded).toContain('src/processes/app.ts')
    expect(
      loaded.filter((file) => /^activities\/|^src\/gateways\/.*adapter|^src\/embedded\/(postgres|temporal)/.test(file)),
    ).toEqual([])
  })
})

describe('the workflow bundle', () => {
  test('builds', async () => {
    // The bundle of these sources that all tests run with.
    const { codePath } = await server('workflowBundle')
    expect(await readFile(codePath, 'utf8')).toContain('paymentWorkflow')
  })
})

describe('the packages', () => {
  const temporal = ['activity', 'client', 'common', 'proto', 'worker', 'workflow'].map((name) => `@temporalio/${name}`)
  const versionOf = (require: NodeJS.Require, name: string): string => require(`${name}/package.json`).version

  test('of Temporal are all of one version', () => {
    const require = createRequire(join(PROJECT, 'package.json'))
    expect(new Set(temporal.map((name) => versionOf(require, name))).size).toBe(1)
  })

  test('of Temporal share one protobufjs, without which recorded histories cannot be read', () => {
    const fromProject = createRequire(join(PROJECT, 'package.json'))
    const used = temporal
      .map((name) => createRequire(fromProject.resolve(`${name}/package.json`)))
      .map((require) => dirname(require.resolve('protobufjs/package.json')))
    expect(new Set(used).size).toBe(1)
    expect(versionOf(fromProject, 'protobufjs')).toMatch(/^8\./)
  })
})

/** Adds an empty file for every relative import that has none. */
function withTargets(planted: (readonly [file: string, code: string])[]): Record<string, string> {
  const files = Object.fromEntries(planted)
  for (const [file, code] of planted) {
    for (const [, target = ''] of code.matchAll(/'(\.[^']+)'/g)) {
      files[posix.join(posix.dirname(file), target)] ??= 'export {}'
    }
  }
  return files
}
