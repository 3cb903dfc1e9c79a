/** Where the bank's page is shown in a frame; see `bank/page.ts`. Null for an address that is none of the API. */
export function bankFrameOf(
  value: string,
  { apiUrl, projectId }: { apiUrl: string; projectId: string },
): string | null {
  const { origin } = new URL(apiUrl)
  // As a text: whatever follows is part of the path, and no other host.
  if (!value.startsWith(`${apiUrl}/three-d-s/`)) return null
  const path = encodeURIComponent(value.slice(origin.length))
  return `${apiUrl}/js/v1/bank-frame.html?project=${encodeURIComponent(projectId)}#${path}`
}
