/** As many as are read: browsers send a handful, and anybody can send thousands. */
const WISHES_MAX = 10

/** No language has a longer tag. Source: RFC 5646, section 4.4.1. */
const TAG_LENGTH_MAX = 35

/** A tag, and how much it is wanted: `de-AT;q=0.9`. The tag is a language, maybe with a script, a region and more. */
const WISH = /^([a-z]{2,3}(?:-[a-z0-9]{1,8})*)(?:;q=([01](?:\.\d{1,3})?))?$/i

/** @returns the tags that the header `Accept-Language` accepts, the best first; what is no tag is left out. */
export function acceptedLanguages(header: string): string[] {
  return header
    .split(',', WISHES_MAX)
    .map((written) => WISH.exec(written.replaceAll(' ', '')) ?? [])
    .map(([, tag = '', quality = '1']) => ({ tag, quality: Number(quality) }))
    .filter(({ tag, quality }) => tag !== '' && tag.length <= TAG_LENGTH_MAX && quality > 0)
    .toSorted((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag)
}
