import { expect, test } from '@jest/globals'
import { CELLS, nameOf } from './faults.ts'
import { roundsOf } from './matrix.ts'

test('cells of different parts are tried together, and those of one part one after the other', () => {
  const wanted = ['stop/api', 'stop/worker', 'kill/api', 'kill/receiver', 'reset/api']
  const rounds = roundsOf(CELLS.filter((cell) => wanted.includes(nameOf(cell))))
  expect(rounds.map((round) => round.map(nameOf))).toEqual([
    ['stop/api', 'stop/worker', 'kill/receiver'],
    ['kill/api'],
    ['reset/api'],
  ])
})
