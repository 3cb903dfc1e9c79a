import { randomBytes } from 'node:crypto'
import { isCurrency } from '../../domain/money.ts'
import { systemClock } from '../../src/clock.ts'
import { readConfigWith } from '../../src/config.ts'
import { StartupError } from '../../src/embedded/startup-error.ts'
import { ProjectEntity, type ProjectRow } from '../../src/persistence/entities/project.ts'
import { createProject } from '../../src/persistence/queries/projects/create-project.ts'
import { openDatabase } from '../../src/processes/core.ts'
import { readKeys } from '../../src/processes/keys.ts'
import { withRunningServers } from '../../src/processes/servers-file.ts'
import { createVault } from '../../src/vault/vault.ts'
import type { AdminCommand } from './command.ts'

export const createNamedProject: AdminCommand = {
  name: 'projects create',
  usage: 'projects create NAME',
  help: 'Makes a project with a secret key of its sandbox. The key is shown once and cannot be read again.',
  operands: 1,
  async run([name = ''], { say }) {
    if (name.trim() === '') throw new StartupError('A project needs a name.')
    const config = readConfigWith({ servers: ['databaseUrl'], keys: true }, withRunningServers(process.env))
    const vault = createVault(await readKeys(config))
    const orm = await openDatabase(config.databaseUrl)
    try {
      const { projectId, secretKey } = await createProject(orm.em.fork(), {
        name: name.trim(),
        sandbox: true,
        randomBytes,
        hashSecret: vault.hashSecret,
        now: systemClock.now(),
      })
      say(`project id  test-${projectId}\nsecret key  ${secretKey}`)
    } finally {
      await orm.close(true)
    }
  },
}

/** How the value of an option is read; undefined for one that it cannot have. */
const OPTIONS: Readonly<Record<string, (value: string) => Partial<ProjectRow> | undefined>> = {
  accepts_partial_approvals: (value) =>
    value === 'true' || value === 'false' ? { acceptsPartialApprovals: value === 'true' } : undefined,
  default_currency: (value) => (isCurrency(value) ? { defaultCurrency: value } : undefined),
}

export const setProjectOption: AdminCommand = {
  name: 'projects set',
  usage: 'projects set PROJECT_ID OPTION=VALUE',
  help: 'Options: accepts_partial_approvals=true|false, default_currency=EUR. Holds from the next payment on.',
  operands: 2,
  async run([projectId = '', assignment = ''], { say }) {
    const [option = '', value = ''] = assignment.split('=', 2)
    const change = Object.hasOwn(OPTIONS, option) ? OPTIONS[option]?.(value) : undefined
    if (change === undefined)
      throw new StartupError(
        `"${assignment}" is not an option with its value; there are ${Object.keys(OPTIONS).join(' and ')}.`,
      )
    const config = readConfigWith({ servers: ['databaseUrl'], keys: false }, withRunningServers(process.env))
    const orm = await openDatabase(config.databaseUrl)
    try {
      const id = projectId.replace(/^test-/, '')
      const changed = await orm.em.fork().nativeUpdate(ProjectEntity, { id }, change)
      if (changed === 0) throw new StartupError(`There is no project ${id}.`)
      say(`${id}: ${option} is ${value}`)
    } finally {
      await orm.close(true)
    }
  },
}
