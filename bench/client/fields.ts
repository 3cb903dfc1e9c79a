/** The field of an answer that a path such as `transaction.status` names, as text; undefined where there is none. */
export function readField(body: unknown, path: string): string | undefined {
  let value = body
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value === undefined || value === null ? undefined : String(value)
}

/** Puts what was kept of earlier answers in place of each `<name>`; a name that nobody has kept stays as it is. */
export function fillIn(text: string, kept: Readonly<Record<string, string>>): string {
  if (!text.includes('<')) return text
  return text.replace(/<([a-z_]+)>/gi, (placeholder, name: string) => kept[name] ?? placeholder)
}
