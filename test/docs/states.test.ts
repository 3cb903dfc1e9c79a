import { describe, expect, test } from '@jest/globals'
import { TRANSITIONS } from '../../domain/transaction.ts'
import { STATUS_GROUPS, statesPage } from '../../scripts/docs/states-page.ts'

const page = statesPage()

const namesIn = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)

describe('docs/states.md', () => {
  test('has every step of the state machine, with its events, and no other', () => {
    const [, steps = ''] = page.split('## Every step')
    const rows = steps.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| when'))
    const told = rows.flatMap((row) => {
      const [, , moves = '', events = ''] = row.split('|')
      return moves.split(';').flatMap((move) => {
        const [from = '', to] = move.split('→')
        const group = Object.entries(STATUS_GROUPS).find(([name]) => from.includes(`*${name}*`))
        const all = [...(from.includes('–') ? [null] : []), ...namesIn(from), ...(group?.[1] ?? [])]
        return all.map((status) => `${status} ${to === undefined ? status : namesIn(to)} ${namesIn(events)}`)
      })
    })
    expect(told.toSorted()).toEqual(TRANSITIONS.map(({ from, to, fires }) => `${from} ${to} ${fires}`).toSorted())
  })
})
