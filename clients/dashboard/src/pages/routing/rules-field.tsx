import { Alert, Button } from '@mantine/core'
import { ExclamationTriangleIcon } from '@radix-ui/react-icons'
import { type KeyboardEvent, type RefObject, useId, useState } from 'react'
import { Problem } from '../../parts/page.tsx'
import type { ApiError, InvalidField } from '../../service/api.ts'
import { t } from '../../words/words.ts'
import { type Suggestion, suggestionsAt, tokensOf } from './rules-text.ts'

type Field = RefObject<HTMLTextAreaElement | null>

/** Of one line and one character, as `pages.css` has them. */
const LINE_PX = 21
const CHARACTER = '1ch'
const SHOWN_MAX = 8

/** Selects a part of the text and brings it into sight. */
export function showRange(field: Field, start: number, end: number): void {
  const element = field.current
  if (element === null) return
  element.focus({ preventScroll: true })
  element.setSelectionRange(start, end)
  const line = element.value.slice(0, start).split('\n').length
  element.closest('.code-field')?.scrollTo({ top: Math.max(0, (line - 4) * LINE_PX) })
}

/** The text of the rules with what is wrong in it; each problem leads to its place. */
export function RulesField({
  field,
  text,
  onChange,
  error,
  gateways,
}: {
  field: Field
  text: string
  onChange(text: string): void
  error: ApiError | null
  gateways: readonly { id: string; name: string }[]
}) {
  const located = error?.invalidFields.filter(({ line }) => line !== undefined) ?? []
  function showPlace({ line = 1, column = 1 }: InvalidField) {
    const before = text.split('\n').slice(0, line - 1)
    const start = before.reduce((sum, one) => sum + one.length + 1, 0) + column - 1
    showRange(field, start, start + 1)
  }
  return (
    <>
      {error && located.length === 0 && <Problem error={error} />}
      {located.length > 0 && (
        <Alert
          color="red"
          icon={<ExclamationTriangleIcon />}
          title={t('routing.unreadable')}
          role="alert"
          className="problem"
        >
          <ul className="plain">
            {located.map((problem) => (
              <li key={problem.message}>
                <Button size="compact-sm" variant="subtle" color="red" onClick={() => showPlace(problem)}>
                  {problem.message}
                </Button>
              </li>
            ))}
          </ul>
        </Alert>
      )}
      <CodeField field={field} text={text} onChange={onChange} gateways={gateways} />
    </>
  )
}

interface Completion {
  from: number
  suggestions: Suggestion[]
  chosen: number
}

/** A text with colours behind it, and a list of what could stand where it is written. */
function CodeField({
  field,
  text,
  onChange,
  gateways,
}: {
  field: Field
  text: string
  onChange(text: string): void
  gateways: readonly { id: string; name: string }[]
}) {
  const list = useId()
  const [completion, setCompletion] = useState<Completion | null>(null)
  const optionId = (index: number) => `${list}-${index}`

  function suggest(value: string, caret: number, isAsked: boolean) {
    const { from, suggestions } = suggestionsAt(value, caret, gateways)
    const isWanted = suggestions.length > 0 && (isAsked || caret > from)
    setCompletion(isWanted ? { from, suggestions: suggestions.slice(0, SHOWN_MAX), chosen: 0 } : null)
  }

  function accept({ from }: Completion, { insert }: Suggestion) {
    const element = field.current
    if (element === null) return
    const caret = element.selectionStart
    onChange(`${text.slice(0, from)}${insert}${text.slice(caret)}`)
    setCompletion(null)
    requestAnimationFrame(() => element.setSelectionRange(from + insert.length, from + insert.length))
  }

  function press(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.key === ' ' && event.ctrlKey) {
      event.preventDefault()
      suggest(text, event.currentTarget.selectionStart, true)
      return
    }
    if (completion === null) return
    const { suggestions, chosen } = completion
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: suggestions.length - 1 }
    const step = steps[event.key]
    const suggestion = suggestions[chosen]
    if (step !== undefined) setCompletion({ ...completion, chosen: (chosen + step) % suggestions.length })
    else if (event.key === 'Enter' && suggestion !== undefined) accept(completion, suggestion)
    else if (event.key === 'Escape') setCompletion(null)
    else return
    event.preventDefault()
  }

  const lines = completion === null ? [] : text.slice(0, completion.from).split('\n')
  return (
    <div className="code-field">
      <div className="code-layers">
        <pre aria-hidden>
          {tokensOf(text).map(({ kind, text: found, at }) => (
            <span key={at} className={kind === 'field' ? 'code-field-name' : `code-${kind}`}>
              {found}
            </span>
          ))}
          {'\n'}
        </pre>
        <textarea
          ref={field}
          aria-label={t('routing.text')}
          aria-description={t('routing.suggestionsAbout')}
          aria-autocomplete="list"
          aria-controls={completion === null ? undefined : list}
          aria-activedescendant={completion === null ? undefined : optionId(completion.chosen)}
          value={text}
          onChange={({ currentTarget: { value, selectionStart } }) => {
            onChange(value)
            suggest(value, selectionStart, false)
          }}
          onKeyDown={press}
          onBlur={() => setCompletion(null)}
          onClick={() => setCompletion(null)}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
        />
        {completion && (
          <div
            id={list}
            role="listbox"
            aria-label={t('routing.suggestions')}
            className="code-suggestions"
            ref={(element) => {
              // Not as an attribute of the page, whose policy takes no styles.
              element?.style.setProperty('top', `${lines.length * LINE_PX + 8}px`)
              element?.style.setProperty('left', `calc(${lines.at(-1)?.length ?? 0} * ${CHARACTER} + 8px)`)
              element?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
            }}
          >
            {completion.suggestions.map((suggestion, index) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the text keeps the focus and names the chosen one.
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the text.
              <div
                key={suggestion.insert}
                id={optionId(index)}
                role="option"
                aria-selected={index === completion.chosen}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => accept(completion, suggestion)}
              >
                <code>{suggestion.insert}</code>
                {suggestion.about && <bdi>{suggestion.about}</bdi>}
              </div>
            ))}
          </div>
        )}
      </div>
    </div>
  )
}
