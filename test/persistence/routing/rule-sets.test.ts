import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test } from '@jest/globals'
import { makeIdentifier } from '../../../domain/identifiers.ts'
import { ProjectEntity } from '../../../src/persistence/entities/project.ts'
import { RuleSetEntity } from '../../../src/persistence/entities/rule-set.ts'
import {
  activateRuleSet,
  createRuleSet,
  findActiveRuleSet,
  findActiveRuleSetId,
  findRuleSet,
} from '../../../src/persistence/queries/routing/rule-sets.ts'
import type { Scope } from '../../../src/persistence/queries/scope.ts'
import { parseRules } from '../../../src/routing/parse-rules.ts'
import { readLog, verified } from '../../support/audit-log.ts'
import { databaseForFile } from '../../support/payment-for-file.ts'

const AT = new Date('2026-11-21T01:17:10.123Z')
const TEXT = 'block { condition: card_country == FR; tags: France; }'
const EUR = { defaultCurrency: 'EUR' }

const database = databaseForFile()
let mine: Scope
const em = () => database.orm.em.fork()

beforeEach(async () => {
  mine = await makeProject()
})

async function makeProject(): Promise<Scope> {
  const id = makeIdentifier('project', randomBytes)
  await em().insert(ProjectEntity, { id, name: 'Shop', createdAt: AT })
  return { projectId: id, sandbox: true }
}

const create = (scope: Scope, { activates = false } = {}) =>
  em().transactional(async (inner) => {
    const id = makeIdentifier('ruleSet', randomBytes)
    const given = { id, text: TEXT, rules: parseRules(TEXT, EUR), ...EUR, createdAt: AT, createdBy: 'key_1' }
    const row = await createRuleSet(inner, scope, given, () => makeIdentifier('rule', randomBytes))
    if (activates) await activateRuleSet(inner, scope, row.id, AT)
    return row
  })
const activate = (scope: Scope, id: string | null) =>
  em().transactional((inner) => activateRuleSet(inner, scope, id, AT))

describe('a version of the rules', () => {
  test.each([
    ['its rules', { rules: [] }],
    ['its text', { text: 'block {}' }],
    ['its number', { version: 7 }],
    ['whose it is', { projectId: 'proj_other' }],
    ['who made it', { createdBy: 'somebody' }],
  ])('is never changed by anybody: %s', async (_, change) => {
    const { id } = await create(mine)
    await expect(em().nativeUpdate(RuleSetEntity, { id }, change)).rejects.toThrow('A rule set is never changed')
    expect(await findRuleSet(em(), mine, id)).toMatchObject({ ...mine, version: 1, text: TEXT, createdBy: 'key_1' })
  })

  test('is not deleted while it decides', async () => {
    const { id } = await create(mine, { activates: true })
    await expect(em().nativeDelete(RuleSetEntity, { id })).rejects.toThrow('foreign key')
  })

  test('is nobody else’s, nor of the other environment', async () => {
    const { id } = await create(mine, { activates: true })
    const [stranger, live] = [await makeProject(), { ...mine, sandbox: false }]
    for (const scope of [stranger, live]) {
      expect(await findRuleSet(em(), scope, id)).toBeNull()
      expect(await findActiveRuleSet(em(), scope)).toBeNull()
      await expect(activate(scope, id)).rejects.toThrow('foreign key')
    }
  })

  test('is read as it was written, its rules numbered', async () => {
    const { id } = await create(mine, { activates: true })
    expect(await findActiveRuleSet(em(), mine)).toMatchObject({
      ruleSet: {
        id,
        version: 1,
        text: TEXT,
        rules: [{ kind: 'block', position: 1, id: expect.stringMatching(/^rr_/), tags: ['France'] }],
      },
      activatedAt: AT,
    })
  })
})

describe('the active version', () => {
  test('is the earlier one again after a roll-back, and none after that is taken away', async () => {
    const first = await create(mine, { activates: true })
    const second = await create(mine, { activates: true })
    expect(await findActiveRuleSetId(em(), mine)).toBe(second.id)
    expect(await activate(mine, first.id)).toBe(second.id)
    expect(await findActiveRuleSetId(em(), mine)).toBe(first.id)
    expect(await activate(mine, null)).toBe(first.id)
    expect(await findActiveRuleSetId(em(), mine)).toBeNull()
  })

  test('is one after a hundred activations at once, and the versions have no gap and no double', async () => {
    const created = await Promise.all(Array.from({ length: 100 }, () => create(mine, { activates: true })))
    const versions = created.map(({ version }) => version).toSorted((one, other) => one - other)
    expect(versions).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
    // Whoever made the last version was the last to activate one.
    expect(await findActiveRuleSet(em(), mine)).toMatchObject({ ruleSet: { version: 100 } })

    const before = await Promise.all(created.map(({ id }) => activate(mine, id)))
    const active = await findActiveRuleSetId(em(), mine)
    // Each of them replaced another's, so what they replaced and what is left are all of them, each once.
    const chain = [...before, active].filter((id) => id !== created.find(({ version }) => version === 100)?.id)
    expect(new Set(chain).size).toBe(chain.length)
    expect(created.map(({ id }) => id)).toContain(active)
  })
})

describe('what is changed by hand', () => {
  const entries = async () =>
    (await readLog(database, `project ${mine.projectId}`))
      .filter(({ kind }) => /rule_set/.test(kind))
      .map(({ kind, actor, facts }) => ({ kind, by: actor.split(':')[0], ...JSON.parse(facts) }))

  test('stands in the audit log, as what is done through the interface does', async () => {
    const first = await create(mine, { activates: true })
    const second = await create(mine)
    await em().execute('update active_rule_set set rule_set_id = ? where project_id = ?', [second.id, mine.projectId])
    await em().execute('delete from active_rule_set where project_id = ?', [mine.projectId])
    const id = `${mine.projectId}/sandbox`
    expect(await entries()).toEqual([
      expect.objectContaining({ kind: 'rule_set.row-created', by: 'database', id: first.id, version: 1 }),
      { kind: 'active_rule_set.row-created', by: 'database', id, ...columnsOf(mine), rule_set_id: first.id },
      expect.objectContaining({ kind: 'rule_set.row-created', id: second.id, version: 2 }),
      {
        kind: 'active_rule_set.row-changed',
        by: 'database',
        id,
        changes: { rule_set_id: [first.id, second.id] },
      },
      { kind: 'active_rule_set.row-deleted', by: 'database', id },
    ])
    expect(await verified(database)).toEqual([])
  })

  test('behind the back of the log is found', async () => {
    const first = await create(mine, { activates: true })
    const second = await create(mine)
    await em().transactional(async (inner) => {
      await inner.execute('alter table active_rule_set disable trigger audit')
      await inner.execute('alter table rule_set disable trigger user')
      await inner.execute('update active_rule_set set rule_set_id = ? where project_id = ?', [
        second.id,
        mine.projectId,
      ])
      await inner.execute(`update rule_set set rules = '[]' where id = ?`, [second.id])
      await inner.execute('alter table active_rule_set enable trigger audit')
      await inner.execute('alter table rule_set enable trigger user')
    })
    const faults = (await verified(database)).join('\n')
    expect(faults).toContain(`the rule_set_id of the active_rule_set ${mine.projectId}/sandbox is "${second.id}"`)
    expect(faults).toContain(`the log ends with "${first.id}"`)
    expect(faults).toContain(`the rules_digest of the rule_set ${second.id}`)
  })

  const columnsOf = ({ projectId, sandbox }: Scope) => ({ project_id: projectId, sandbox })
})
