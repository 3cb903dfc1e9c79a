import { expect, test } from '@jest/globals'
import { scriptJson } from '../../src/pages/script-json.ts'

test.each(['</script><script>alert(1)</script>', '<!--<script>', ']]>', '&lt;', 'a\u2028b\u2029c', '"\\\'`'])(
  'JSON for a script neither ends it nor begins a comment, and means the same: %j',
  (text) => {
    const written = scriptJson({ text }).toString()
    expect(written).not.toMatch(/[<>&\u2028\u2029]/)
    expect(JSON.parse(written)).toEqual({ text })
  },
)
