import { describe, expect, test } from '@jest/globals'
import { EVENT_NAMES } from '../../domain/webhook-event.ts'
import { EVENT_STORIES } from '../../scripts/docs/event-stories.ts'
import { eventsPage } from '../../scripts/docs/events-page.ts'

const [, names = '', stories = ''] = eventsPage().split(/## Every event|## Which events a change fires/)

const rowsOf = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (event|when) \|/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()))

const eventsIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name)

describe('docs/events.md', () => {
  test('names every event and no other, with what its data holds', () => {
    const rows = rowsOf(names)
    expect(rows.map(([, name]) => name)).toEqual(Object.keys(EVENT_NAMES).map((name) => `\`${name}\``))
    for (const [, name, when, holds] of rows) expect([name, when, holds]).not.toContain('')
  })

  test('has each story once, with the events that its test has seen', () => {
    const [, authorized = '', paid = ''] =
      /\*Authorized\* stands for ([^;]*); \*paid\* for \*authorized\*([^.]*\.[^.]*\.[^.]*)\. /.exec(stories) ?? []
    const beginnings = { '*authorized*': authorized, '*paid*': `${authorized}${paid}` }
    const told = rowsOf(stories).map(([, when, fires = '']) => ({
      when,
      fires: eventsIn(fires.replace(/^\*\w+\*/, (word) => beginnings[word as keyof typeof beginnings])),
    }))
    expect(told).toEqual(EVENT_STORIES)
    expect(new Set(told.map(({ when }) => when)).size).toBe(EVENT_STORIES.length)
  })
})
