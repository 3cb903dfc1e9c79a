import type { GatewayOperationType } from '../../../domain/operation.ts'
import type {
  AuthorizeRequest,
  CaptureRequest,
  FollowUpRequest,
  GatewayAccess,
  IncrementRequest,
  LookUpRequest,
} from '../gateway.ts'

/** What arrives of a request: secrets and switches of the account are no part of it. */
type Arriving<Request extends GatewayAccess> = Omit<Request, 'credentials' | 'settings'>

export type FollowUpType = Exclude<GatewayOperationType, 'authorization'>

export type Authorization = Arriving<AuthorizeRequest>
export type FollowUp = Arriving<FollowUpRequest>

/** A call that moves money, as it arrives at the simulator. */
export type Call =
  | { type: 'authorization'; request: Authorization }
  | { type: 'capture'; request: Arriving<CaptureRequest> }
  | { type: 'increment_authorization'; request: Arriving<IncrementRequest> }
  | { type: 'void' | 'refund'; request: FollowUp }

export type Question = Pick<LookUpRequest, 'reference' | 'type'>
