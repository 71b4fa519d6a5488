import type { AccountContext, SiteEnv } from '../context.ts'
import { formToken } from './form-token.ts'

/** What every page of a session needs: the account, and the token of its forms. */
export interface Frame {
  email: string
  token: string
}

/** What helpers need of a request with a session. */
export type Signed = { env: SiteEnv; var: AccountContext['Variables'] }

export async function frame({ env, var: { signedIn } }: Signed): Promise<Frame> {
  return {
    email: signedIn.email,
    token: await formToken(env.SESSION_SECRET, signedIn.sessionId),
  }
}
