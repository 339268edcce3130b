// The form to sign in. It lies over the page that was open, so that one goes on where one was.

import { useState } from 'preact/hooks'
import { html } from '../core/html.ts'
import { signIn } from '../core/session.ts'
import { texts } from '../texts/shared.ts'

const words = texts.signIn

export function SignIn({ again }: { again: boolean }) {
  const [message, setMessage] = useState(again ? words.ended : '')
  const [busy, setBusy] = useState(false)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.target as HTMLFormElement)
    setBusy(true)
    try {
      await signIn(String(form.get('name')), String(form.get('password')))
    } catch (error) {
      setMessage((error as Error).message)
    }
    setBusy(false)
  }
  return html`<main class="sign-in" id="main">
    <form onSubmit=${submit}>
      <h1>${texts.name}</h1>
      ${message !== '' && html`<p class="message" role="alert">${message}</p>`}
      <label>${words.name}<input name="name" autocomplete="username" autocapitalize="none" spellcheck=${false} required autofocus /></label>
      <label>${words.password}<input name="password" type="password" autocomplete="current-password" required /></label>
      <button type="submit" class="main" disabled=${busy}>${words.go}</button>
    </form>
  </main>`
}
