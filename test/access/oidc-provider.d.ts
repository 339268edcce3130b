// Of the provider that tests sign in at, what they use.

declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  interface Grant {
    addOIDCScope(scopes: string): void
    save(): Promise<string>
  }

  interface Context {
    readonly oidc: {
      readonly provider: Provider
      readonly account: { readonly accountId: string }
      readonly client: { readonly clientId: string }
      readonly params: { readonly grant_type?: string }
      readonly session?: { grantIdFor(clientId: string): string | undefined }
    }
  }

  export default class Provider {
    constructor(issuer: string, configuration: object)
    readonly Grant: {
      new (of: { accountId: string; clientId: string }): Grant
      find(id: string): Promise<Grant | undefined>
    }
    on(event: 'grant.success', listener: (context: Context) => void): void
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
  }
}
