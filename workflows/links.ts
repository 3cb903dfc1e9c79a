/**
 * Links in the Markdown of current details. The Temporal UI opens relative links in a new tab, and fills in `{namespace}`,
 * `{workflowId}` and `{runId}`.
 */

/** A link to the workflows that a query finds. */
export function listLink(text: string, query: string): string {
  const encoded = encodeURIComponent(query).replace('%7BworkflowId%7D', '{workflowId}')
  return `[${text}](namespaces/{namespace}/workflows?query=${encoded})`
}

/** A link to a run of this workflow. */
export function runLink(text: string, runId: string): string {
  return `[${text}](namespaces/{namespace}/workflows/{workflowId}/${runId})`
}
