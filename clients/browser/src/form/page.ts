/** The script of `card-form.html`, which runs at the origin of the API inside a frame of the merchant's page. */
import { localeOf } from '../texts.ts'
import { CardForm } from './card-form.ts'
import { createCardsApi } from './cards-api.ts'
import { awaitParent } from './connection.ts'
import { formTextsIn } from './texts.ts'

const { href, search } = location
const apiUrl = href.slice(0, href.indexOf('/js/v1/'))
const projectId = new URLSearchParams(search).get('project') ?? ''

if (parent === window) {
  // Opened by itself, the form would look like one of whoever sent the link.
  document.body.textContent = formTextsIn(localeOf(navigator.language), {}).refused
} else {
  void awaitParent(projectId).then((connection) => CardForm.start(connection, createCardsApi(apiUrl, projectId)))
}
