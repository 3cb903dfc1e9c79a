import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from '@jest/globals'
import type { Scenario } from '../../src/gateways/simulator/scenarios.ts'
import { SETTING_NAMES, simulatorSettingsProblem } from '../../src/gateways/simulator/settings.ts'
import { findTestCard, SCENARIOS } from '../../src/gateways/simulator/test-cards.ts'

const CARD_NUMBER = /^\d{14,16}$/
const BY_NAME = '(by name only)'

describe('the page of the simulator', () => {
  let page: string
  /** The cells of every row of a table, without those of its head. */
  let rows: string[][]

  beforeAll(async () => {
    page = await readFile(new URL('../../src/gateways/simulator/README.md', import.meta.url), 'utf8')
    rows = page
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      )
  })

  /** The rows that play a scenario: number or "by name only", scenario, and what is said of it. */
  const played = () =>
    rows.flatMap(([card = '', cell = '', ...said]) => {
      const isCard = CARD_NUMBER.test(card) || card === BY_NAME
      const scenario = /^`(.+)`$/.exec(cell)?.[1]
      return isCard && scenario !== undefined ? [{ card, scenario, said: said.join(' ') }] : []
    })

  test('gives no card a scenario that it does not play', () => {
    expect(played().length).toBeGreaterThan(80)
    for (const { card, scenario } of played()) {
      if (card !== BY_NAME) expect([card, findTestCard(card)?.scenario]).toEqual([card, scenario])
    }
  })

  test('calls by name only what no card plays', () => {
    const playedByCards = new Set(played().flatMap(({ card, scenario }) => (card === BY_NAME ? [] : [scenario])))
    for (const { card, scenario } of played()) {
      if (card === BY_NAME) expect([scenario, playedByCards.has(scenario)]).toEqual([scenario, false])
    }
  })

  test('has every scenario once, and no other', () => {
    const named = played().map(({ scenario }) => scenario)
    // The approved cards share a table without a column for their scenario.
    expect(page).toContain('Their scenario is `approved`.')
    expect([...named, 'approved'].sort()).toEqual(Object.keys(SCENARIOS).sort())
  })

  test('names the code that a scenario declines with', () => {
    for (const { scenario, said } of played()) {
      const { authorize, capture, increment, void: release, refund }: Scenario = SCENARIOS[scenario] ?? {}
      for (const script of [authorize, capture, increment, release, refund]) {
        if (script?.decline) expect([scenario, said]).toEqual([scenario, expect.stringContaining(script.decline.code)])
      }
    }
  })

  test('gives the advice of every decline that has some', () => {
    for (const { scenario, said } of played()) {
      const { authorize }: Scenario = SCENARIOS[scenario] ?? {}
      const { merchantAdviceCode, recommendationCode } = authorize?.decline ?? {}
      for (const word of [merchantAdviceCode, recommendationCode]) {
        if (word !== undefined) expect([scenario, said]).toEqual([scenario, expect.stringContaining(word)])
      }
    }
  })

  test('lists the approved cards, and only those, without a scenario', () => {
    const numbers = rows.flatMap(([card = '', second = '']) =>
      CARD_NUMBER.test(card) && !second.startsWith('`') ? [card] : [],
    )
    expect(numbers).toHaveLength(15)
    for (const number of numbers) expect([number, findTestCard(number)?.scenario]).toEqual([number, 'approved'])
  })

  test('has every setting of an account, and no other', () => {
    const start = rows.findIndex(([first]) => first === 'setting')
    const end = rows.findIndex(([first], index) => index > start && first === 'account')
    const names = rows.slice(start + 2, end).flatMap(([name = '']) => name.replaceAll('`', '').split(', '))

    expect(names.sort()).toEqual([...SETTING_NAMES].sort())
  })

  test('proposes no account whose settings would be refused', () => {
    const bodies = rows.flatMap(([, cell = '']) => (cell.startsWith('`{') ? [JSON.parse(cell.slice(1, -1))] : []))

    expect(bodies.length).toBeGreaterThan(3)
    for (const { settings = {} } of bodies) expect(simulatorSettingsProblem(settings)).toBeNull()
  })
})
