// Answers the service's challenges for credentials: a token, or a name and a password. A password is never sent in
// clear: over https Basic is used, over http only Digest (RFC 7616, SHA-256).

export interface User {
  readonly name: string
  readonly password: string
}

const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

/** Sent with every request from the start. */
export function authorization(
  url: URL,
  { token, user }: { readonly token?: string | undefined; readonly user?: User | undefined },
): Record<string, string> {
  if (token !== undefined) return { Authorization: `Bearer ${token}` }
  if (user === undefined || url.protocol !== 'https:') return {}
  return { Authorization: `Basic ${base64(`${user.name}:${user.password}`)}` }
}

async function hash(text: string): Promise<string> {
  const { subtle } = globalThis.crypto ?? {}
  // Browsers have it on secure pages only.
  if (!subtle) throw new TypeError('Digest is not possible here: use https')
  const bytes = new Uint8Array(await subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The answer to a challenge; undefined where the service does not ask for Digest. */
export async function answerDigest(challenge: string, { name, password }: User, url: URL) {
  const value = (pattern: RegExp) => pattern.exec(challenge)?.[1]
  const realm = value(/\brealm="([^"]*)"/)
  const nonce = value(/\bnonce="([^"]*)"/)
  const opaque = value(/\bopaque="([^"]*)"/) ?? ''
  const isOffered = /\bDigest\b/.test(challenge) && /\balgorithm=SHA-256\b/.test(challenge)
  if (!isOffered || realm === undefined || nonce === undefined) return undefined
  const uri = url.pathname + url.search
  const nc = '00000001'
  const cnonce = Array.from(globalThis.crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
  const [ha1, ha2] = [await hash(`${name}:${realm}:${password}`), await hash(`GET:${uri}`)]
  const response = await hash(`${ha1}:${nonce}:${nc}:${cnonce}:auth:${ha2}`)
  // A header holds Latin-1 at most: other names are spelled as RFC 8187 does.
  const isPlain = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/.test(name)
  const username = isPlain ? `username="${name}"` : `username*=UTF-8''${encodeURIComponent(name)}`
  return `Digest ${username}, realm="${realm}", nonce="${nonce}", uri="${uri}", algorithm=SHA-256, qop=auth, nc=${nc}, cnonce="${cnonce}", response="${response}", opaque="${opaque}"`
}
