// Creates and hashes the secrets that the service issues: tokens, session cookies, sign-in state. Each is 32 random
// bytes as text; the store contains only hashes.

import { createHash, randomBytes } from 'node:crypto'

const secretForm = /^[\w-]{43}$/
/** The prefix of tokens, by which one that was left in a file is recognised. */
const tokenMark = 'bfy_'

export const newSecret = () => randomBytes(32).toString('base64url')

export const newToken = () => `${tokenMark}${newSecret()}`

/** Whether a text can be a secret of the service; nothing else is looked up. */
export const looksLikeSecret = (text: string) => secretForm.test(text)

export const looksLikeToken = (text: string) =>
  text.startsWith(tokenMark) && looksLikeSecret(text.slice(tokenMark.length))

export const secretHash = (secret: string) => createHash('sha256').update(secret).digest('hex')
