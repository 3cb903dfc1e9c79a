import { verifyAuditCommand } from './audit.ts'
import type { AdminCommand } from './command.ts'
import { drainGatewayCommand, listGatewaysCommand, resumeGatewayCommand, showGatewayCommand } from './gateways.ts'
import { createKeyCommand, listKeysCommand, revokeKeyCommand } from './keys.ts'
import { setLimitsCommand, showLimitsCommand } from './limits.ts'
import {
  acknowledgePaymentCommand,
  cancelCaptureCommand,
  listUnresolvedCommand,
  resolvePaymentCommand,
} from './payments.ts'
import {
  changeRoleCommand,
  disablePersonCommand,
  enablePersonCommand,
  invitePersonCommand,
  listInvitationsCommand,
  listPeopleCommand,
  removePersonCommand,
  removeSecondFactorsCommand,
  resetPasswordCommand,
  withdrawInvitationCommand,
} from './people.ts'
import { createProjectCommand, listProjectsCommand, setProjectCommand, showProjectCommand } from './projects.ts'
import { recoverBooksCommand } from './recovery.ts'
import { keysStatusCommand, retireKeyCommand, rotateKeysCommand } from './rotation.ts'
import { supportLinksCommand } from './support.ts'
import { resumeProjectCommand, suspendProjectCommand } from './suspension.ts'
import { resendWebhookCommand } from './webhooks.ts'
import { listWorkersCommand, rampWorkersCommand, setCurrentWorkersCommand } from './workers.ts'

/** Everything that an operator can do, in the order in which it is explained. */
export const COMMANDS: readonly AdminCommand[] = [
  createProjectCommand,
  listProjectsCommand,
  showProjectCommand,
  setProjectCommand,
  suspendProjectCommand,
  resumeProjectCommand,
  createKeyCommand,
  listKeysCommand,
  revokeKeyCommand,
  invitePersonCommand,
  listInvitationsCommand,
  withdrawInvitationCommand,
  listPeopleCommand,
  changeRoleCommand,
  removePersonCommand,
  resetPasswordCommand,
  removeSecondFactorsCommand,
  disablePersonCommand,
  enablePersonCommand,
  keysStatusCommand,
  rotateKeysCommand,
  retireKeyCommand,
  showLimitsCommand,
  setLimitsCommand,
  listGatewaysCommand,
  showGatewayCommand,
  drainGatewayCommand,
  resumeGatewayCommand,
  listUnresolvedCommand,
  resolvePaymentCommand,
  acknowledgePaymentCommand,
  cancelCaptureCommand,
  recoverBooksCommand,
  resendWebhookCommand,
  supportLinksCommand,
  listWorkersCommand,
  setCurrentWorkersCommand,
  rampWorkersCommand,
  verifyAuditCommand,
]
