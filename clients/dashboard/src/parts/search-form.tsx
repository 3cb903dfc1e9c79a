import { Button, TextInput } from '@mantine/core'
import { MagnifyingGlassIcon } from '@radix-ui/react-icons'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { t } from '../words/words.ts'

/** What is searched for: asked by the button, or by Enter. */
export function SearchForm({
  label,
  placeholder,
  value,
  onSearch,
  children,
}: {
  label: string
  placeholder: string
  value: string
  onSearch(text: string): void
  /** More buttons of the line. */
  children?: ReactNode
}) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  function submit(event: FormEvent) {
    event.preventDefault()
    onSearch(text.trim())
  }
  return (
    <form onSubmit={submit} className="filters-line">
      <TextInput
        className="filters-search"
        type="search"
        aria-label={label}
        placeholder={placeholder}
        leftSection={<MagnifyingGlassIcon aria-hidden />}
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" variant="default">
        {t('common.search')}
      </Button>
      {children}
    </form>
  )
}
