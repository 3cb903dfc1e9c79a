/**
 * Every form in which a text is likely to lie in a log, a row or a history, the plain one first: base64 wherever in a
 * longer text it begins, hexadecimal as PostgreSQL shows bytes, the escapes of addresses and of JSON, and backwards.
 */
export function encodedForms(text: string): string[] {
  const bytes = Buffer.from(text, 'utf8')
  const hex = bytes.toString('hex')
  const base64 = [0, 1, 2].map((offset) => innerBase64(bytes, offset))
  const escaped = [...bytes].map((byte) => byte.toString(16).padStart(2, '0'))
  return [
    ...new Set([
      text,
      ...base64,
      ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
      hex,
      hex.toUpperCase(),
      encodeURIComponent(text),
      escaped.map((digits) => `%${digits}`).join(''),
      escaped.map((digits) => `%${digits.toUpperCase()}`).join(''),
      JSON.stringify(text).slice(1, -1),
      escaped.map((digits) => `\\u00${digits}`).join(''),
      [...text].reverse().join(''),
    ]),
  ]
}

/**
 * What the base64 of any text has in the middle that holds these bytes, so many of a group of three after the beginning
 * of one. The characters at both ends also depend on the neighbours and are left out.
 */
function innerBase64(bytes: Buffer, offset: number): string {
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
    .toString('base64')
    .replaceAll('=', '')
  const begin = Math.ceil((offset * 8) / 6)
  const end = Math.floor(((offset + bytes.length) * 8) / 6)
  return encoded.slice(begin, end)
}
