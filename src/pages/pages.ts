import { Router } from '@koa/router'
import type { ApiState } from '../http/context.ts'
import type { AppDeps } from '../http/dependencies.ts'
import { body } from '../http/middleware/body.ts'
import { limitAddress } from '../http/middleware/limit-address.ts'
import { findPageOrigins } from '../persistence/queries/projects/page-origins.ts'
import { clientFile } from './client-pages.ts'
import { payingCustomer, receiveReturn, showAction } from './customer-actions.ts'
import { errorCodesPage, shownPage, testCardsPage } from './docs-pages.ts'
import { showHostedPage } from './hosted-page-route.ts'
import { docsPage, openApiFile, referenceFile, referenceOfService, searchFile, shownPages } from './reference.ts'
import { simulatedBank } from './simulated-bank-route.ts'

/**
 * The reference of the interface, and the pages that the customer's browser opens. They need no key and are no part of the
 * REST interface: whoever knows the addresses of a customer's pages is that browser.
 */
export function pagesOf(deps: AppDeps): Router<ApiState> {
  const router = new Router<ApiState>({ sensitive: true })
  const limited = limitAddress(deps)
  const read = body()
  router.get('/openapi.json', limited, openApiFile())
  router.get('/docs', limited, referenceOfService())
  router.get('/docs/errors', limited, docsPage(errorCodesPage))
  router.get('/docs/test-cards', limited, docsPage(testCardsPage))
  router.get('/docs/pages.json', limited, searchFile())
  router.get('/docs/:file', limited, referenceFile())
  router.get('/docs/:folder/:page', limited, shownPages(shownPage))
  const back = '/three-d-s/:id/:attempt_id/return'
  const limitedButPaying = limitAddress(deps, payingCustomer(deps))
  router.get('/three-d-s/:id/:action_id', limitedButPaying, showAction(deps))
  router.get(back, limitedButPaying, receiveReturn(deps))
  router.post(back, limitedButPaying, receiveReturn(deps))
  const bank = simulatedBank({ bank: deps.simulatedBank, randomBytes: deps.randomBytes })
  router.get('/simulator/bank/:id', limited, read, bank)
  router.post('/simulator/bank/:id', limited, read, bank)
  const pageOrigins = (projectId: string) => findPageOrigins(deps.orm, projectId)
  router.get('/js/v1/:file', limited, clientFile({ pageOrigins }))
  router.get('/pay/:id', limitedButPaying, showHostedPage(deps))
  return router
}
