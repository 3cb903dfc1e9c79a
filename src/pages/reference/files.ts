/** What the page of the reference loads: files beside this one. */
export const REFERENCE_FILES = [
  { name: 'reference.js', type: 'text/javascript; charset=utf-8' },
  { name: 'reference.css', type: 'text/css; charset=utf-8' },
  { name: 'icon.svg', type: 'image/svg+xml' },
] as const
