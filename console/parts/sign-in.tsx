// The form to sign in. The address stays what it was, so that one goes on where one was; where a session ended while
// the page was open, the form covers it, and what was typed is still there afterwards.

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { leaveForProvider, returnTrouble } from '../core/openid.ts'
import { isSignedOut } from '../core/refused.ts'
import { session, signIn } from '../core/session.ts'
import { texts } from '../texts/shared-texts.ts'

const words = texts.signIn
/** Milliseconds after which it is said why an answer takes long. */
const waitShown = 3000

function messageOf(error: unknown): string {
  if (isSignedOut(error)) return words.wrong
  return error instanceof Error ? error.message : String(error)
}

function SignInForm({ before }: { before: string }) {
  const [message, setMessage] = useState(before)
  const [busy, setBusy] = useState(false)
  const [isLong, setLong] = useState(false)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.target as HTMLFormElement)
    setBusy(true)
    const timer = setTimeout(() => setLong(true), waitShown)
    try {
      await signIn(String(form.get('name')), String(form.get('password')))
    } catch (error) {
      setMessage(messageOf(error))
      setBusy(false)
    } finally {
      clearTimeout(timer)
      setLong(false)
    }
  }
  const leave = async () => {
    setBusy(true)
    try {
      await leaveForProvider()
    } catch (error) {
      setMessage((error as Error).message)
      setBusy(false)
    }
  }
  const { ways } = session.value
  return (
    <form onSubmit={submit}>
      <h1>{texts.name}</h1>
      {message !== '' && (
        <p class="message" role="alert">
          {message}
        </p>
      )}
      {ways.includes('password') ? (
        <>
          <label>
            {words.name}
            <input
              name="name"
              autocomplete="username"
              autocapitalize="none"
              spellcheck={false}
              required
              autofocus
            />
          </label>
          <label>
            {words.password}
            <input name="password" type="password" autocomplete="current-password" required />
          </label>
          <button type="submit" class="main" disabled={busy}>
            {words.go}
          </button>
          <p role="status">{isLong && words.waiting}</p>
        </>
      ) : (
        <p>{words.nowhere}</p>
      )}
      {ways.includes('openid') && (
        <>
          <p class="or">{words.or}</p>
          <button type="button" onClick={leave} disabled={busy}>
            {words.provider}
          </button>
        </>
      )}
    </form>
  )
}

export const SignIn = () => (
  <main class="sign-in" id="main">
    <SignInForm before={returnTrouble.value} />
  </main>
)

/** Over the page and its dialogs. Escape closes a dialog, and this one is opened again. */
export function SignInAgain() {
  const element = useRef<HTMLDialogElement>(null)
  const open = () => element.current?.showModal()
  useLayoutEffect(open, [])
  return (
    <dialog class="sign-in" ref={element} aria-label={words.title} onClose={open}>
      <SignInForm before={words.ended} />
    </dialog>
  )
}
