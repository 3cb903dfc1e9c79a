/** What GitHub makes of a heading, so that a link with an anchor works in both places. */
export const githubAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
