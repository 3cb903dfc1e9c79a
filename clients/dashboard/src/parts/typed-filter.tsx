import { TextInput, type TextInputProps } from '@mantine/core'
import { useEffect, useState } from 'react'

export interface TypedFilterProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string
  onChange(value: string): void
  /** What is wrong with a text, which then is not filtered by. */
  problemOf?(text: string): string | undefined
}

/** A filter that is typed. It counts once the field is left, or by Enter, so that not every letter is a question. */
export function TypedFilter({ value, onChange, problemOf, ...field }: TypedFilterProps) {
  const [text, setText] = useState(value)
  const [problem, setProblem] = useState<string>()
  useEffect(() => setText(value), [value])
  const commit = () => {
    const typed = text.trim()
    const found = typed === '' ? undefined : problemOf?.(typed)
    setProblem(found)
    if (found === undefined && typed !== value) onChange(typed)
  }
  return (
    <TextInput
      {...field}
      value={text}
      error={problem}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit()
      }}
    />
  )
}

/** While a year is typed digit by digit it is one of the first centuries. */
const COMPLETE_DAY = /^[1-9]\d{3}-\d{2}-\d{2}$/

/** A day to filter by. It counts as soon as it is complete. */
export function DayFilter({ value, onChange, label }: { value: string; onChange(day: string): void; label: string }) {
  const [day, setDay] = useState(value)
  useEffect(() => setDay(value), [value])
  return (
    <TextInput
      label={label}
      type="date"
      value={day}
      onChange={(event) => {
        const chosen = event.currentTarget.value
        setDay(chosen)
        if (chosen === '' || COMPLETE_DAY.test(chosen)) onChange(chosen)
      }}
    />
  )
}
