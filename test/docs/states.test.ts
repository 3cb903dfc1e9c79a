import { describe, expect, test } from '@jest/globals'
import { TRANSITIONS } from '../../domain/transaction.ts'
import { statesPage } from '../../scripts/docs/states-page.ts'

const page = statesPage()

describe('docs/states.md', () => {
  test('has one row for each step of the state machine, with its events', () => {
    const rows = page
      .split('## Every step')
      .at(-1)
      ?.split('\n')
      .filter((line) => line.startsWith('| ') && !line.startsWith('| when'))
    expect(rows).toHaveLength(TRANSITIONS.length)
    const fired = rows?.flatMap((row) =>
      [...row.matchAll(/`((?:transaction|invoice)\.[^`]+)`/g)].map(([, name]) => name),
    )
    expect(fired?.toSorted()).toEqual(TRANSITIONS.flatMap(({ fires }) => [...fires]).toSorted())
  })

  test('draws each step that changes the status of a payment or of a dispute, in names that Mermaid takes', () => {
    const arrows = [...page.matchAll(/^ {4}(\S+) --> (\S+): (.+)$/gm)]
    expect(arrows.length).toBeGreaterThan(25)
    for (const [, from, to] of arrows) {
      expect(from).toMatch(/^(\[\*\]|[a-z_]+)$/)
      expect(to).toMatch(/^[a-z_]+$/)
    }
    expect(arrows.map(([, from, to]) => `${from} ${to}`)).toContain('pending_capture authorized')
  })
})
