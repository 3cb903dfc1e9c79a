import { TextInput, type TextInputProps } from '@mantine/core'
import { useEffect, useState } from 'react'

export interface TypedFilterProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string
  onChange(value: string): void
}

/** A filter that is typed. It counts once the field is left, or by Enter, so that not every letter is a question. */
export function TypedFilter({ value, onChange, ...field }: TypedFilterProps) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const commit = () => {
    if (text.trim() !== value) onChange(text.trim())
  }
  return (
    <TextInput
      {...field}
      value={text}
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
