import { describe, expect, test } from '@jest/globals'
import { EVENT_NAMES } from '../../domain/webhook-event.ts'
import { EVENT_STORIES } from '../../scripts/docs/event-stories.ts'
import { eventsPage } from '../../scripts/docs/events-page.ts'

const [, names = '', stories = ''] = eventsPage().split(/## Every event|## Which events a change fires/)

/** The items of all lists, each as what stands before its colon and behind it. */
const itemsOf = (text: string): string[][] => [...text.matchAll(/^- (.*?): (.*)$/gm)].map(([, ...parts]) => parts)

const eventsIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name)

describe('docs/events.md', () => {
  test('names every event and no other, with what its data holds', () => {
    const named = itemsOf(names).map(([name]) => name)
    expect(named.toSorted()).toEqual(
      Object.keys(EVENT_NAMES)
        .map((name) => `\`${name}\``)
        .toSorted(),
    )
    for (const group of names.split('### ').slice(1)) expect(group).toMatch(/^[A-Z][a-z ]*\n\n\S.*`.*\.\n\n- /)
  })

  test('has each story once, with the events that its test has seen', () => {
    const [, authorized = '', paid = ''] =
      /\*Authorized\* stands for ([^;]*); \*paid\* for \*authorized\*([^.]*\.[^.]*\.[^.]*)\. /.exec(stories) ?? []
    const beginnings = { '*authorized*': authorized, '*paid*': `${authorized}${paid}` }
    const told = itemsOf(stories).map(([when, fires = '']) => ({
      when,
      fires: eventsIn(fires.replace(/^\*\w+\*/, (word) => beginnings[word as keyof typeof beginnings])),
    }))
    expect(told).toEqual(EVENT_STORIES)
    expect(new Set(told.map(({ when }) => when)).size).toBe(EVENT_STORIES.length)
  })
})
