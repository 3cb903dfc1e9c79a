import { systemClock } from '../clock.ts'
import { setSuspended } from '../persistence/queries/projects/projects.ts'
import { defineCommand } from './command.ts'
import { inDatabase, orAbsent, projectIdOf } from './database.ts'
import { formatInstant } from './table.ts'

export const suspendProjectCommand = defineCommand({
  name: 'projects suspend',
  operands: '<PROJECT_ID>',
  summary: 'Stops new payments of a project, live and sandbox; voids, reads, events and webhooks continue.',
  details:
    'Authorizations, captures, increments, refunds and verifications are refused with request.project-suspended. Scheduled ' +
    'captures are held until the project is resumed or their authorization ends. What a gateway was asked before is finished.',
  async run([operand = ''], { say, actor }) {
    const projectId = projectIdOf(operand)
    const project = await inDatabase((em) => setSuspended(em, { projectId, suspendedAt: systemClock.now(), actor }))
    const { suspendedAt } = orAbsent(project, 'project', projectId)
    say(
      suspendedAt == null
        ? `${projectId} is suspended: no new money moves.`
        : `${projectId} has been suspended since ${formatInstant(suspendedAt)}.`,
    )
  },
})

export const resumeProjectCommand = defineCommand({
  name: 'projects resume',
  operands: '<PROJECT_ID>',
  summary: 'Takes the suspension of a project back; captures that were held follow within an hour.',
  async run([operand = ''], { say, actor }) {
    const projectId = projectIdOf(operand)
    const project = await inDatabase((em) => setSuspended(em, { projectId, suspendedAt: null, actor }))
    const { suspendedAt } = orAbsent(project, 'project', projectId)
    say(suspendedAt == null ? `${projectId} was not suspended.` : `${projectId} is no longer suspended.`)
  },
})
