import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, posix } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker'
import {
  type ImportGraph,
  loadedBy,
  type PlantedTree,
  PROJECT,
  plantTree,
  readImportGraph,
} from './support/import-graph.ts'
import { server } from './support/servers.ts'

/** Each import that a rule forbids, and the rule that must catch it. */
const FORBIDDEN: { rule: string; file: string; code: string }[] = [
  { rule: 'domain-imports', file: 'domain/reads-workflow.ts', code: "import '../workflows/a.ts'" },
  { rule: 'domain-imports', file: 'domain/reads-clock.ts', code: "import '../src/clock.ts'" },
  { rule: 'domain-imports', file: 'domain/uses-node.ts', code: "import 'node:crypto'" },
  { rule: 'domain-imports', file: 'domain/uses-package.ts', code: "import 'zod'" },
  { rule: 'domain-imports-types', file: 'domain/types-of-package.ts', code: "import type { Logger } from 'pino'" },
  { rule: 'workflows-imports', file: 'workflows/reads-src.ts', code: "import '../src/persistence/a.ts'" },
  { rule: 'workflows-imports', file: 'workflows/uses-node.ts', code: "import 'node:fs'" },
  { rule: 'workflows-imports', file: 'workflows/uses-package.ts', code: "import 'zod'" },
  { rule: 'workflows-imports', file: 'workflows/uses-client.ts', code: "import '@temporalio/client'" },
  {
    rule: 'workflows-imports',
    file: 'workflows/loads-activity.ts',
    code: "import { a } from '../activities/index.ts'",
  },
  {
    rule: 'workflows-imports',
    file: 'workflows/loads-mixed.ts',
    code: "import { a, type B } from '../activities/index.ts'",
  },
  { rule: 'workflows-imports', file: 'workflows/loads-later.ts', code: "await import('../activities/index.ts')" },
  { rule: 'workflows-imports', file: 'workflows/passes-on.ts', code: "export * from '../activities/index.ts'" },
  {
    rule: 'workflows-imports-types',
    file: 'workflows/inner-type.ts',
    code: "import type { A } from '../activities/payment/capture.ts'",
  },
  { rule: 'workflows-imports-types', file: 'workflows/src-type.ts', code: "let a: import('../src/clock.ts').Clock" },
  { rule: 'activities-imports', file: 'activities/loads-http.ts', code: "import '../src/http/app.ts'" },
  { rule: 'activities-imports', file: 'activities/loads-temporal.ts', code: "import '../src/temporal/client.ts'" },
  { rule: 'activities-imports', file: 'activities/loads-workflow.ts', code: "import '../workflows/payment.ts'" },
  { rule: 'activities-imports', file: 'activities/uses-orm.ts', code: "import '@mikro-orm/postgresql'" },
  {
    rule: 'activities-imports-types',
    file: 'activities/http-type.ts',
    code: "import type { A } from '../src/http/app.ts'",
  },
  { rule: 'gateways-imports', file: 'src/gateways/loads-database.ts', code: "import '../persistence/orm.ts'" },
  {
    rule: 'gateways-imports-types',
    file: 'src/gateways/database-type.ts',
    code: "import type { O } from '../persistence/orm.ts'",
  },
  { rule: 'vault-imports', file: 'src/vault/loads-database.ts', code: "import '../persistence/orm.ts'" },
  {
    rule: 'vault-imports-types',
    file: 'src/vault/row-type.ts',
    code: "import type { O } from '../persistence/orm.ts'",
  },
  { rule: 'persistence-imports', file: 'src/persistence/loads-http.ts', code: "import '../http/app.ts'" },
  { rule: 'persistence-imports', file: 'src/persistence/uses-zod.ts', code: "import 'zod'" },
  {
    rule: 'persistence-imports-types',
    file: 'src/persistence/http-type.ts',
    code: "import type { A } from '../http/app.ts'",
  },
  { rule: 'presenters-imports', file: 'src/presenters/asks.ts', code: "import '../persistence/entities/a.ts'" },
  { rule: 'presenters-imports', file: 'src/presenters/uses-node.ts', code: "import 'node:util'" },
  {
    rule: 'presenters-imports-types',
    file: 'src/presenters/orm-type.ts',
    code: "import type { O } from '../persistence/orm.ts'",
  },
  { rule: 'idempotency-imports', file: 'src/idempotency/loads-http.ts', code: "import '../http/app.ts'" },
  {
    rule: 'idempotency-imports-types',
    file: 'src/idempotency/step-type.ts',
    code: "import type { A } from '../../activities/payment/attempt.ts'",
  },
  { rule: 'webhooks-imports', file: 'src/webhooks/loads-http.ts', code: "import '../http/app.ts'" },
  {
    rule: 'webhooks-imports-types',
    file: 'src/webhooks/http-type.ts',
    code: "import type { A } from '../http/app.ts'",
  },
  { rule: 'routing-imports', file: 'src/routing/loads-http.ts', code: "import '../http/app.ts'" },
  {
    rule: 'routing-imports-types',
    file: 'src/routing/http-type.ts',
    code: "import type { A } from '../http/app.ts'",
  },
  { rule: 'browser-client-imports', file: 'clients/browser/loads-server.ts', code: "import '../../src/http/app.ts'" },
  { rule: 'browser-client-imports', file: 'clients/browser/uses-package.ts', code: "import 'zod'" },
  {
    rule: 'browser-client-imports-types',
    file: 'clients/browser/server-type.ts',
    code: "import type { A } from '../../src/clock.ts'",
  },
  { rule: 'demo-imports', file: 'demo/reads-domain.ts', code: "import '../domain/money.ts'" },
  { rule: 'examples-imports', file: 'examples/reads-client.ts', code: "import '../clients/node/src/index.ts'" },
  { rule: 'examples-imports-types', file: 'examples/domain-type.ts', code: "import type { A } from '../domain/a.ts'" },
  { rule: 'demo-imports-types', file: 'demo/client-type.ts', code: "import type { A } from '../clients/browser/a.ts'" },
  { rule: 'node-client-imports', file: 'clients/node/reads-domain.ts', code: "import '../../domain/money.ts'" },
  { rule: 'node-client-imports', file: 'clients/node/uses-package.ts', code: "import 'zod'" },
  { rule: 'command-line-imports', file: 'clients/cli/loads-server.ts', code: "import '../../src/webhooks/send.ts'" },
  { rule: 'command-line-imports', file: 'clients/cli/own-transport.ts', code: "import '../node/src/transport.ts'" },
  {
    rule: 'command-line-imports-types',
    file: 'clients/cli/server-type.ts',
    code: "import type { A } from '../../src/http/app.ts'",
  },
  {
    rule: 'node-client-imports-types',
    file: 'clients/node/types-of-domain.ts',
    code: "import type { Payment } from '../../domain/payment.ts'",
  },
  {
    rule: 'dashboard-client-imports',
    file: 'clients/dashboard/loads-server.ts',
    code: "import '../../src/http/app.ts'",
  },
  {
    rule: 'dashboard-client-imports-types',
    file: 'clients/dashboard/server-type.ts',
    code: "import type { A } from '../../src/http/app.ts'",
  },
  { rule: 'clients-imports', file: 'clients/reads-domain.ts', code: "import '../domain/money.ts'" },
  { rule: 'clients-imports', file: 'clients/uses-package.ts', code: "import 'zod'" },
  {
    rule: 'clients-imports-types',
    file: 'clients/types-of-domain.ts',
    code: "import type { Payment } from '../domain/payment.ts'",
  },
  { rule: 'rate-limit-imports', file: 'src/rate-limit/loads-http.ts', code: "import '../http/app.ts'" },
  {
    rule: 'rate-limit-imports-types',
    file: 'src/rate-limit/http-type.ts',
    code: "import type { A } from '../http/app.ts'",
  },
  { rule: 'audit-imports', file: 'src/audit/opens-vault.ts', code: "import '../vault/vault.ts'" },
  {
    rule: 'audit-imports-types',
    file: 'src/audit/http-type.ts',
    code: "import type { A } from '../http/app.ts'",
  },
  { rule: 'temporal-imports', file: 'src/temporal/loads-workflow.ts', code: "import '../../workflows/payment.ts'" },
  { rule: 'temporal-imports', file: 'src/temporal/loads-activities.ts', code: "import '../../activities/index.ts'" },
  {
    rule: 'temporal-imports-types',
    file: 'src/temporal/http-type.ts',
    code: "import type { A } from '../http/app.ts'",
  },
  { rule: 'http-imports', file: 'src/http/runs-activity.ts', code: "import '../../activities/index.ts'" },
  { rule: 'http-imports', file: 'src/http/calls-gateway.ts', code: "import '../gateways/simulator/adapter.ts'" },
  { rule: 'codec-imports', file: 'src/codec/reads-rows.ts', code: "import '../persistence/orm.ts'" },
  {
    rule: 'codec-imports-types',
    file: 'src/codec/row-type.ts',
    code: "import type { Orm } from '../persistence/orm.ts'\nexport type One = Orm",
  },
  { rule: 'http-imports', file: 'src/http/uses-temporal.ts', code: "import '@temporalio/client'" },
  {
    rule: 'http-imports-types',
    file: 'src/http/activity-type.ts',
    code: "import type { A } from '../../activities/index.ts'",
  },
  { rule: 'embedded-imports', file: 'src/embedded/loads-database.ts', code: "import '../persistence/orm.ts'" },
  {
    rule: 'embedded-imports-types',
    file: 'src/embedded/orm-type.ts',
    code: "import type { O } from '../persistence/orm.ts'",
  },
  { rule: 'instruments-imports', file: 'src/logger.ts', code: "import './persistence/orm.ts'" },
  { rule: 'instruments-imports-types', file: 'src/clock.ts', code: "import type { O } from './persistence/orm.ts'" },
  { rule: 'configuration-imports', file: 'src/config.ts', code: "import './http/app.ts'" },
  { rule: 'configuration-imports-types', file: 'src/shutdown.ts', code: "import type { A } from './http/app.ts'" },
  { rule: 'keys-imports', file: 'src/keys/loads-http.ts', code: "import '../http/app.ts'" },
  { rule: 'keys-imports-types', file: 'src/keys/core-type.ts', code: "import type { C } from '../processes/core.ts'" },
  { rule: 'books-imports', file: 'src/books/calls-gateway.ts', code: "import '../gateways/stripe/adapter.ts'" },
  { rule: 'books-imports-types', file: 'src/books/http-type.ts', code: "import type { A } from '../http/app.ts'" },
  { rule: 'tracing-imports', file: 'src/tracing/reads.ts', code: "import '../persistence/orm.ts'" },
  {
    rule: 'tracing-imports-types',
    file: 'src/tracing/row-type.ts',
    code: "import type { A } from '../persistence/orm.ts'",
  },
  { rule: 'metrics-imports', file: 'src/metrics/sends.ts', code: "import '../webhooks/send.ts'" },
  {
    rule: 'metrics-imports-types',
    file: 'src/metrics/vault-type.ts',
    code: "import type { A } from '../vault/vault.ts'",
  },
  { rule: 'sweeps-imports', file: 'src/sweeps/calls-gateway.ts', code: "import '../gateways/stripe/adapter.ts'" },
  { rule: 'sweeps-imports', file: 'src/sweeps/runs-activity.ts', code: "import '../../activities/index.ts'" },
  { rule: 'sweeps-imports-types', file: 'src/sweeps/http-type.ts', code: "import type { A } from '../http/app.ts'" },
  { rule: 'entry-points-imports', file: 'src/worker.ts', code: "import '../workflows/index.ts'" },
  { rule: 'entry-points-imports-types', file: 'src/server.ts', code: "import type { A } from '../test/support/a.ts'" },
  { rule: 'outside-imports', file: 'test/loads-tool.ts', code: "import '../tools/inner.ts'" },
  { rule: 'outside-imports-types', file: 'test/tool-type.ts', code: "import type { A } from '../tools/inner.ts'" },
  { rule: 'every-file-has-a-room', file: 'src/helpers/format.ts', code: "import '../clock.ts'" },
  { rule: 'nothing-imports-an-entry-point', file: 'src/http/starts.ts', code: "import '../server.ts'" },
  { rule: 'nothing-imports-an-entry-point', file: 'test/starts.ts', code: "import '../src/api.ts'" },
  { rule: 'only-entry-points-wire', file: 'src/http/wires.ts', code: "import '../processes/core.ts'" },
  { rule: 'api-runs-no-activities', file: 'src/api.ts', code: "import '../activities/index.ts'" },
  {
    rule: 'records-know-no-gateway',
    file: 'activities/payment/records/calls.ts',
    code: "import '../call-gateway.ts'",
  },
  { rule: 'adapters-do-not-know-each-other', file: 'src/gateways/first/a.ts', code: "import '../second/a.ts'" },
  { rule: 'registry-knows-no-adapter', file: 'src/gateways/registry.ts', code: "import './first/adapter.ts'" },
  {
    rule: 'embedded-servers-are-for-entry-points',
    file: 'src/http/embeds.ts',
    code: "import '../embedded/postgres.ts'",
  },
  { rule: 'no-cycles', file: 'domain/chicken.ts', code: "import './egg.ts'" },
  { rule: 'no-cycles', file: 'domain/hen.ts', code: "import type { A } from './nest.ts'" },
  { rule: 'no-development-dependency-in-production', file: 'src/processes/tests.ts', code: "import 'fast-check'" },
  { rule: 'only-listed-dependencies', file: 'test/unlisted.ts', code: "import 'semver'" },
  { rule: 'no-unresolvable-import', file: 'test/unresolvable.ts', code: "import 'there-is-no-such-package'" },
]

/** Imports that look much like the forbidden ones and are what the rooms are for. */
const ALLOWED: { file: string; code: string }[] = [
  { file: 'workflows/types-only.ts', code: "import type { A } from '../activities/index.ts'" },
  { file: 'workflows/inline-types.ts', code: "import { type A } from '../activities/index.ts'" },
  { file: 'workflows/sees-domain.ts', code: "import '@temporalio/workflow'; import '../domain/a.ts'" },
  {
    file: 'activities/stands.ts',
    code: "import '../domain/a.ts'; import '../src/gateways/gateway.ts'; import '@temporalio/common'",
  },
  { file: 'activities/inputs.ts', code: "import type { A } from '../workflows/inputs.ts'" },
  { file: 'src/gateways/first/b.ts', code: "import './a.ts'; import '../gateway.ts'; import 'node:net'" },
  { file: 'src/http/asks.ts', code: "import '../persistence/orm.ts'; import '../temporal/client.ts'; import 'koa'" },
  {
    file: 'src/temporal/names.ts',
    code: "import '../../workflows/messages.ts'; import type { W } from '../../workflows/payment.ts'",
  },
  {
    file: 'src/processes/wires.ts',
    code: "import './core.ts'; import '../http/app.ts'; import '../embedded/postgres.ts'",
  },
]

describe('the import rules', () => {
  let planted: PlantedTree
  let found: ImportGraph

  beforeAll(async () => {
    const egg = { file: 'domain/egg.ts', code: "import './chicken.ts'" }
    const nest = { file: 'domain/nest.ts', code: "import type { A } from './hen.ts'" }
    planted = plantTree(withTargets([...FORBIDDEN, ...ALLOWED, egg, nest]))
    found = await readImportGraph(planted.folder)
  })
  afterAll(() => planted.remove())

  test.each(FORBIDDEN)('$rule catches $file', ({ rule, file }) => {
    expect(found.violations.filter(({ from }) => from === file).map(({ rule }) => rule)).toContain(rule)
  })

  test.each(ALLOWED)('$file is allowed', ({ file }) => {
    expect(found.violations.filter(({ from }) => from === file)).toEqual([])
  })

  test('each have a planted violation', () => {
    const tried = new Set(FORBIDDEN.map(({ rule }) => rule))
    expect(found.rules.filter((name) => !tried.has(name))).toEqual([])
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
    const programs = [
      'src/api.ts',
      'src/worker.ts',
      'src/server.ts',
      'src/codec-server.ts',
      ...copied.filter((path) => path.endsWith('.ts')),
    ]
    const loaded = new Set(programs.flatMap((program) => [...loadedBy(tree, program)]))
    expect(loaded).toContain('src/http/app.ts')
    const isThere = (file: string) => copied.some((path) => file === path || file.startsWith(`${path}/`))
    expect([...loaded].filter((file) => /^(?!node_modules).*\.ts$/.test(file) && !isThere(file))).toEqual([])
  })

  test('loads no activity, no gateway adapter and no embedded server into the API process', () => {
    const loaded = [...loadedBy(tree, 'src/api.ts')]
    expect(loaded).toContain('src/http/app.ts')
    expect(
      loaded.filter((file) => /^activities\/|^src\/gateways\/.*adapter|^src\/embedded\/(postgres|temporal)/.test(file)),
    ).toEqual([])
  })
})

describe('the workflow bundle', () => {
  /** Bundles the workflows below a folder; on failure what the bundler said is in the error's message. */
  const bundle = async (folder: string): Promise<string> => {
    const said: string[] = []
    const logger = new DefaultLogger('ERROR', ({ message }) => said.push(message))
    try {
      return (await bundleWorkflowCode({ workflowsPath: join(folder, 'workflows', 'index.ts'), logger })).code
    } catch {
      throw new Error(said.join('\n'))
    }
  }

  test('builds', async () => {
    // The bundle of these sources that all tests run with.
    const { codePath } = await server('workflowBundle')
    expect(await readFile(codePath, 'utf8')).toContain('paymentWorkflow')
  })

  test('refuses a workflow that imports node:crypto', async () => {
    const { folder, remove } = plantTree({
      'workflows/index.ts': "import { randomUUID } from 'node:crypto'\nexport const w = async () => randomUUID()",
    })
    try {
      await expect(bundle(folder)).rejects.toThrow('node:crypto')
    } finally {
      remove()
    }
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
function withTargets(planted: { file: string; code: string }[]): Record<string, string> {
  const files = Object.fromEntries(planted.map(({ file, code }) => [file, code]))
  for (const { file, code } of planted) {
    for (const [, target = ''] of code.matchAll(/'(\.[^']+)'/g)) {
      files[posix.join(posix.dirname(file), target)] ??= 'export {}'
    }
  }
  return files
}
