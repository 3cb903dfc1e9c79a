import { type Verification, verifyAudit } from '../audit/verify.ts'
import { findProject } from '../persistence/queries/projects/projects.ts'
import { StartupError } from '../startup-error.ts'
import { defineCommand } from './command.ts'
import { inDatabaseWithVault, orAbsent, projectIdOf } from './database.ts'
import { formatTable } from './table.ts'

export const verifyAuditCommand = defineCommand<{ checkpoint?: string[]; json?: boolean }>({
  name: 'audit verify',
  operands: '[PROJECT_ID]',
  summary: 'Verifies the audit log, and the record against it; each fault is a line, and with any it ends with 1.',
  details: 'Store the hash of the newest checkpoint outside of this service. See docs/audit.md.',
  options: [
    [
      '--checkpoint <HASH>',
      'that must still be there; may be given several times',
      (hash, all?: string[]) => [...(all ?? []), hash],
    ],
    ['--json', 'one object per line: the faults, and what was verified last'],
  ],
  async run([operand], { say, values }) {
    const projectId = operand === undefined ? null : projectIdOf(operand)
    const expected = (values.checkpoint ?? []).map((hash) => hash.toLowerCase())
    const tell = values.json ? (fault: string) => say(JSON.stringify({ fault })) : say
    const begunAt = performance.now()
    await inDatabaseWithVault(async (em, vault) => {
      const found = await verifyAudit(em, vault, { projectId, expected }, tell)
      // The log outlives the row of its project, so only who is in neither is unknown.
      if (projectId !== null && found.entries + found.checkpoints === 0)
        orAbsent(await findProject(em, projectId), 'project', projectId)
      const seconds = (performance.now() - begunAt) / 1000
      say(values.json ? JSON.stringify(summaryOf(found, seconds)) : describe(found, seconds))
      if (found.faults > 0) throw new StartupError(`The audit log does not hold: ${count(found.faults, 'fault')}.`)
    })
  },
})

function describe({ newest, ...found }: Verification, seconds: number): string {
  const { entries, chains, rows, checkpoints, waiting, faults } = found
  const verified = [
    `${faults === 0 ? 'Verified' : 'Read'} ${count(entries, 'entry', 'entries')} in ${count(chains, 'chain')} against `,
    `${count(rows, 'row')} of the record, and ${count(checkpoints, 'checkpoint')}, in ${seconds.toFixed(1)} s. `,
    waiting === 0
      ? 'Every entry is in a checkpoint.'
      : `${count(waiting, 'entry waits', 'entries wait')} for the next checkpoint.`,
  ].join('')
  if (newest.length === 0) return verified
  const table = formatTable(
    ['NEWEST CHECKPOINT OF', 'NUMBER', 'MADE AT', 'HASH'],
    newest.map(({ projectId, number, madeAt, hash }) => [projectId ?? 'the service', `${number}`, madeAt, hash]),
  )
  return `${verified}\n\n${table}`
}

function summaryOf({ newest, ...counts }: Verification, seconds: number) {
  const newestCheckpoints = newest.map(({ projectId, number, madeAt, hash }) => {
    return { project_id: projectId, number, made_at: madeAt, hash }
  })
  return { ...counts, seconds: Number(seconds.toFixed(1)), newest_checkpoints: newestCheckpoints }
}

const count = (number: number, one: string, many = `${one}s`) => `${number} ${number === 1 ? one : many}`
