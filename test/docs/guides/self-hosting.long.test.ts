import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { SETTING_NAMES } from '../../../src/config.ts'
import { freePort } from '../../../src/embedded/ports.ts'
import { askDatabase } from '../../support/canary/database-rows.ts'
import { server } from '../../support/servers.ts'
import { waitFor } from '../../support/wait-for.ts'
import { PROGRAMS, ROOT } from './environment.ts'
import { type Block, blocksOf, readGuide } from './guide.ts'
import { openTerminal, type Terminal } from './terminal.ts'

const SELF_HOSTING = readGuide('self-hosting.md')

describe('a variable that a guide names', () => {
  const named = [SELF_HOSTING, readGuide('going-live.md')].flatMap((text) => [
    ...[...text.matchAll(/`([A-Z]+_[A-Z_]+|HOST|PORT)`/g)].map(([, name = '']) => name),
    ...[...text.matchAll(/^export ([A-Z_]+)=/gm)]
      .map(([, name = '']) => name)
      .filter((name) => name !== 'PROJECT' && name !== 'LIVE'),
  ])

  // That of the owner is none: only a migration gets it.
  test.each([...new Set(named)].filter((name) => name !== 'OWNER_DATABASE_URL'))('is a setting: %s', (name) => {
    expect(SETTING_NAMES).toContain(name)
  })
})

describe('self-hosting, and going live after it', () => {
  let folder: string
  let databaseName: string
  let adminUrl: URL
  let environment: Record<string, string>
  let workerHealth: number
  const terminals: Terminal[] = []

  const open = () => {
    const terminal = openTerminal(ROOT, { ...PROGRAMS, ...environment })
    terminals.push(terminal)
    return terminal
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'holdfast-self-hosting-'))
    adminUrl = new URL((await server('postgres')).url)
    adminUrl.pathname = 'postgres'
    databaseName = `guide_${process.pid}`
    await askDatabase(adminUrl.href, (ask) => ask(`create database ${databaseName}`))
    const url = new URL(adminUrl)
    url.pathname = databaseName
    const port = String(await freePort())
    workerHealth = await freePort()
    environment = {
      DATABASE_URL: url.href,
      OWNER_DATABASE_URL: url.href,
      TEMPORAL_ADDRESS: (await server('temporal')).address,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      DATA_DIR: folder,
      PORT: port,
      WORKER_HEALTH_PORT: String(workerHealth),
      // Workers of other tests serve the usual ones.
      TEMPORAL_NAMESPACE_LIVE: `${databaseName}-live`,
      TEMPORAL_NAMESPACE_SANDBOX: `${databaseName}-sandbox`,
    }
  })
  afterAll(async () => {
    await Promise.all(terminals.map((terminal) => terminal.close()))
    await askDatabase(adminUrl.href, (ask) => ask(`drop database ${databaseName} with (force)`))
    rmSync(folder, { recursive: true, force: true })
  })

  test('self-hosting.md makes a service of two processes, and going-live.md sets it up for real money', async () => {
    const terminal = open()
    const own = (block: Block) => !block.code.startsWith('export ')
    const starts = (block: Block) => block.code === 'npm run worker\nnpm run api\n'
    const blocks = blocksOf(SELF_HOSTING).filter(own)
    const at = blocks.findIndex(starts)
    await terminal.follow(blocks.slice(0, at))
    expect(JSON.parse(readFileSync(join(folder, 'keys.json'), 'utf8'))).toHaveProperty('CARD_NUMBER_KEYS')
    for (const line of blocks[at]?.code.trim().split('\n') ?? []) {
      const process = open()
      await Promise.race([process.run(line), waitFor(() => process.output().includes('"ready"'))])
    }
    expect((await fetch(`http://127.0.0.1:${workerHealth}/health/ready`)).status).toBe(200)
    const invites = blocks.findIndex(({ language, code }) => language === 'sh' && code.includes('people invite'))
    await terminal.follow(blocks.slice(at + 1, invites))
    const [project = ''] = /proj_[0-9A-Za-z]+/.exec(terminal.output()) ?? []
    expect(project).not.toBe('')
    await terminal.run(`export PROJECT='${project}'`)
    await terminal.follow(blocks.slice(invites))

    const setUp = await terminal.run(
      `npm run --silent admin -- api-keys create ${project} live --permissions read,configuration,webhooks`,
    )
    const [secret = ''] = /key_live_\S+/.exec(setUp) ?? []
    const given = {
      PROJECT: project,
      LIVE: `${project}:${secret}`,
      HOLDFAST: String(environment.PUBLIC_URL),
      STRIPE_KEY: `sk_live_${'0'.repeat(24)}`,
      STRIPE_WEBHOOK_SECRET: `whsec_${'0'.repeat(32)}`,
    }
    for (const [name, value] of Object.entries(given)) await terminal.run(`export ${name}='${value}'`)
    await terminal.follow(blocksOf(readGuide('going-live.md')).filter(own))
    expect(terminal.output()).not.toMatch(/^npm (error|ERR)|Usage:/m)
  })
})
