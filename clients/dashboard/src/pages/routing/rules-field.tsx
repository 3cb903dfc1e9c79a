import { Alert, Button, Textarea } from '@mantine/core'
import { ExclamationTriangleIcon } from '@radix-ui/react-icons'
import type { RefObject } from 'react'
import { Problem } from '../../parts/page.tsx'
import type { ApiError, InvalidField } from '../../service/api.ts'

/** The text of the rules with what is wrong in it; each problem leads to its place. */
export function RulesField({
  field,
  text,
  onChange,
  error,
}: {
  field: RefObject<HTMLTextAreaElement | null>
  text: string
  onChange(text: string): void
  error: ApiError | null
}) {
  const located = error?.invalidFields.filter(({ line }) => line !== undefined) ?? []
  function showPlace({ line = 1, column = 1 }: InvalidField) {
    const element = field.current
    if (element === null) return
    const lines = text.split('\n')
    const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1
    element.focus()
    element.setSelectionRange(start, start + 1)
    const height = element.scrollHeight / Math.max(lines.length, 1)
    element.scrollTop = Math.max(0, (line - 4) * height)
  }
  return (
    <>
      {error && located.length === 0 && <Problem error={error} />}
      {located.length > 0 && (
        <Alert
          color="red"
          icon={<ExclamationTriangleIcon />}
          title="The text cannot be read"
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
      <Textarea
        ref={field}
        aria-label="The text of the rules"
        className="code-field"
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        rows={18}
      />
    </>
  )
}
